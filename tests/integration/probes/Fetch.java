// SPDX-License-Identifier: MIT
// Fetch: prints the page of a URL, or why it cannot.
import java.net.URL;

public class Fetch {
	public static void main(String[] args) throws Exception {
		try (var in = new URL(args[0]).openStream()) {
			in.transferTo(System.out);
		}
	}
}

// SPDX-License-Identifier: MIT
// Names: the addresses of a name as Java's own resolver has them.
import java.net.InetAddress;

public class Names {
	public static void main(String[] args) throws Exception {
		for (InetAddress found : InetAddress.getAllByName(args[0]))
			System.out.println(found.getHostAddress());
	}
}

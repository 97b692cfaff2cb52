# SPDX-License-Identifier: MIT
"""client.py: http.client through the proxy, as older programs use it."""
import http.client
import os
import ssl
import sys

host, port = sys.argv[1].removeprefix("https://").strip("/").split(":")
proxy = os.environ["https_proxy"].removeprefix("http://").split(":")
context = ssl.create_default_context(cafile="ca.pem")
link = http.client.HTTPSConnection(proxy[0], int(proxy[1]), context=context)
link.set_tunnel(host, int(port))
link.request("GET", "/")
sys.stdout.write(link.getresponse().read().decode())

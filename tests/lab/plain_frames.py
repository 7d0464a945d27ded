"""Have an interface send whole frames with finished checksums, as a cable would carry them: `python -S … IFNAME`.

Between virtual interfaces the kernel leaves that work to hardware that is not there, and a switch in user space would
pass on frames that nobody accepts. The numbers are those of linux/ethtool.h, without its tool.
"""

import ctypes
import fcntl
import socket
import struct
import sys

SIOCETHTOOL = 0x8946
SET_TX_CHECKSUM, SET_SCATTER_GATHER, SET_TSO, SET_GSO, SET_GRO = 0x17, 0x19, 0x1F, 0x24, 0x2C

with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
    for command in (SET_TX_CHECKSUM, SET_TSO, SET_GSO, SET_GRO, SET_SCATTER_GATHER):
        off = ctypes.create_string_buffer(struct.pack("II", command, 0), 8)
        fcntl.ioctl(sock, SIOCETHTOOL, struct.pack("16sP16x", sys.argv[1].encode(), ctypes.addressof(off)))

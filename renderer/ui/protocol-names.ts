/** Names of products, the same in every language. */
export const protocolNames = { openvpn: 'OpenVPN', wireguard: 'WireGuard' } as const

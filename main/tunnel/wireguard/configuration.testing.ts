export const serverKey = Buffer.alloc(32, 7).toString('base64')

/** For tests: a text as portals write it, with other values of keys; undefined leaves a key out. */
export function configurationText(
  changes: Readonly<Record<string, string | undefined>> = {},
  extra: { readonly interface?: readonly string[]; readonly peer?: readonly string[] } = {},
): string {
  const lines = (keys: Readonly<Record<string, string | undefined>>) =>
    Object.entries({ ...keys, ...pick(changes, keys) }).flatMap(([key, value]) =>
      value === undefined ? [] : [`${key} = ${value}`],
    )
  return [
    '[Interface]',
    ...lines({
      MTU: undefined,
      Address: '10.43.0.2/24,fd43::2/64',
      DNS: '10.43.0.1,vpn.example.org',
    }),
    ...(extra.interface ?? []),
    '',
    '[Peer]',
    ...lines({
      PublicKey: serverKey,
      AllowedIPs: '0.0.0.0/0,::/0',
      Endpoint: 'node.example.org:51820',
      PersistentKeepalive: undefined,
      ProxyEndpoint: undefined,
    }),
    ...(extra.peer ?? []),
    '',
  ].join('\n')
}

function pick<T>(from: Readonly<Record<string, T>>, keys: object): Record<string, T> {
  return Object.fromEntries(Object.entries(from).filter(([key]) => key in keys))
}

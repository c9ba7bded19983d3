import type { OpenVpnConfiguration, Remote } from '../tunnel/tunnel'

/** Whether it is one of these, by host, port and protocol. */
export function isAmong(remote: Remote, others: readonly Remote[]): boolean {
  return others.some(
    ({ host, port, protocol }) =>
      host === remote.host && port === remote.port && protocol === remote.protocol,
  )
}

/** Whether a configuration lacks what one with all remotes of the profile has now: other servers, keys or options. */
export function isOutdated(held: OpenVpnConfiguration, all: OpenVpnConfiguration): boolean {
  return (
    withoutRemoteLines(held) !== withoutRemoteLines(all) ||
    held.remotes.some((remote) => !isAmong(remote, all.remotes))
  )
}

function withoutRemoteLines({ text }: OpenVpnConfiguration): string {
  return text
    .split('\n')
    .filter((line) => !line.startsWith('remote '))
    .join('\n')
}

/** The same configuration without these remotes; as it is where none would be left. */
export function withoutRemotes(
  configuration: OpenVpnConfiguration,
  unwanted: readonly Remote[],
): OpenVpnConfiguration {
  const remotes = configuration.remotes.filter((remote) => !isAmong(remote, unwanted))
  if (remotes.length === configuration.remotes.length || remotes.length === 0) return configuration
  const isUnwanted = (line: string): boolean => {
    // As main/tunnel/openvpn/remotes.ts writes it; udp4 and udp6 are udp with a family.
    const [, host, port, protocol] = /^remote (\S+) (\d+) (udp|tcp)[46]?$/.exec(line) ?? []
    return (
      (protocol === 'udp' || protocol === 'tcp') &&
      isAmong({ host: host ?? '', port: Number(port), protocol }, unwanted)
    )
  }
  const lines = configuration.text.split('\n').filter((line) => !isUnwanted(line))
  return { ...configuration, remotes, text: lines.join('\n') }
}

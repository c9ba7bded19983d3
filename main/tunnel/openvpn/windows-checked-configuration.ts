import { createPrivateKey } from 'node:crypto'

import { CausewayError } from '../../errors'
import { handlingOf, invalidArgument, requireInlineAllowed } from './allowed-directives'
import { type InlineBlock, tokenizeConfiguration } from './configuration-tokenizer'
import { openVpnOptions } from './openvpn-process'
import { type Rebuild, rebuildCertificates, rebuildClientKeyV2, rebuildStaticKey } from './pem'

const rebuilds: Readonly<Record<string, Rebuild>> = {
  ca: rebuildCertificates,
  cert: rebuildCertificates,
  'tls-crypt': rebuildStaticKey,
  'tls-auth': rebuildStaticKey,
  'tls-crypt-v2': rebuildClientKeyV2,
}

/**
 * Causeway's own options come last, where they overrule. They are in here since few are let through on the command line
 * (validate.c). The private key's passphrase comes by OpenVPN's standard input, once: the key has to be kept.
 */
const ownOptions = [...openVpnOptions.join(' ').split(/(?:^| )--/), 'persist-key', 'askpass stdin'].filter(
  Boolean,
)

/**
 * The text of a configuration for a file, with the private key encrypted. Everything is checked and written anew once
 * more, so that nothing reaches the service that is not on the allow-list.
 *
 * @throws CausewayError `profile-configuration/*`; `certificate/invalid` for a private key that is none
 */
export function configurationForDisk(configuration: string, passphrase: string): string {
  const items = tokenizeConfiguration(configuration)
  if (items.filter(({ kind, name }) => kind === 'block' && name === 'key').length !== 1) throw unreadableKey()
  const written = items.map((item) => {
    if (item.kind === 'block') {
      return `<${item.name}>\n${contentOf(item, passphrase)}\n</${item.name}>`
    }
    if (handlingOf(item) === 'drop') throw leftOver(item.line)
    return [item.name, ...item.arguments].join(' ')
  })
  return [...written, ...ownOptions, ''].join('\n')
}

function contentOf({ name, line, content }: InlineBlock, passphrase: string): string {
  requireInlineAllowed(name, line)
  const text = content.join('\n')
  const rebuilt = name === 'key' ? encrypt(text, passphrase) : rebuilds[name]?.(text)
  if (rebuilt === undefined) throw invalidArgument(name, line, 'contains invalid data')
  return rebuilt
}

function encrypt(privateKey: string, passphrase: string): string {
  try {
    return createPrivateKey(privateKey)
      .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase })
      .toString()
      .trim()
  } catch {
    throw unreadableKey()
  }
}

function unreadableKey(): CausewayError {
  return new CausewayError(
    'certificate/invalid',
    "The key pair for this instance can't be read. Renew the certificate, then connect again.",
  )
}

function leftOver(line: number): CausewayError {
  return new CausewayError(
    'profile-configuration/forbidden-directive',
    `Line ${line} of the configuration isn't one that Causeway allows, so Causeway didn't pass it to OpenVPN. Connect again. If it happens again, report it.`,
    { details: { line } },
  )
}

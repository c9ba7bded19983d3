import { createPrivateKey } from 'node:crypto'

import { CausewayError } from '../../errors'
import { handlingOf, invalidArgument, requireInlineAllowed, writeDirective } from './allowed-directives'
import { type Directive, type InlineBlock, tokenizeConfiguration } from './configuration-tokenizer'
import { openVpnOptions } from './direct-launcher'
import { type Rebuild, rebuildCertificates, rebuildClientKeyV2, rebuildStaticKey } from './pem'

const rebuilds: Readonly<Record<string, Rebuild>> = {
  ca: rebuildCertificates,
  cert: rebuildCertificates,
  'tls-crypt': rebuildStaticKey,
  'tls-auth': rebuildStaticKey,
  'tls-crypt-v2': rebuildClientKeyV2,
}

/**
 * Causeway's own options, which come last to overrule others. They are in the file because the service allows few on the
 * command line (validate.c). The private key's passphrase is read once from standard input, so the key must be kept.
 */
const ownOptions = [...openVpnOptions, ['persist-key'], ['askpass', 'stdin']].map((words) =>
  words.map((word) => (/^[\w-]+$/.test(word) ? word : `"${word}"`)).join(' '),
)

/**
 * Keeps the data channel out of the kernel (DCO), whose driver sends packets to the server by itself: the kill switch lets OpenVPN's program
 * alone pass. OpenVPN 2.5 has no DCO.
 */
const killSwitchOptions = ['ignore-unknown-option disable-dco', 'disable-dco']

/**
 * Returns the text of a configuration file with the private key encrypted. Checks and rebuilds everything again, so that
 * only allowed directives reach the service.
 *
 * @throws CausewayError `profile-configuration/*`; `certificate/invalid` for an invalid private key
 */
export function configurationForDisk(configuration: string, passphrase: string, killSwitch: boolean): string {
  const items = tokenizeConfiguration(configuration)
  if (items.filter(({ kind, name }) => kind === 'block' && name === 'key').length !== 1) throw unreadableKey()
  const written = items.map((item) => {
    return item.kind === 'directive'
      ? checkedLine(item)
      : `<${item.name}>\n${contentOf(item, passphrase)}\n</${item.name}>`
  })
  return [...written, ...ownOptions, ...(killSwitch ? killSwitchOptions : []), ''].join('\n')
}

function checkedLine(directive: Directive): string {
  if (['drop', 'interpret'].includes(handlingOf(directive))) throw leftOver(directive.line)
  return writeDirective(directive)
}

function contentOf({ name, line, content }: InlineBlock, passphrase: string): string {
  if (name === 'connection') {
    const items = tokenizeConfiguration(content.join('\n'), line + 1)
    return items
      .map((item) => {
        if (item.kind === 'block') throw leftOver(item.line)
        return checkedLine(item)
      })
      .join('\n')
  }
  requireInlineAllowed(name, line)
  const text = content.join('\n')
  const rebuilt = name === 'key' ? encrypt(text, passphrase) : rebuilds[name]?.(text)
  if (rebuilt === undefined) throw invalidArgument(name, line, 'data')
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
  return new CausewayError('certificate/invalid', { variant: 'key-pair-unreadable' })
}

function leftOver(line: number): CausewayError {
  return new CausewayError('profile-configuration/forbidden-directive', {
    variant: 'unchecked-line',
    details: { line },
  })
}

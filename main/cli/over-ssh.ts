import { networkInterfaces } from 'node:os'
import { CausewayError } from '../errors'
import { addressNumber, contains, rangeOf, rangesOf } from '../platform/routes/address-range'
import type { Instance } from '../portal/instance/instance'
import { agrees, askUnlessYes } from './ask'
import type { Context } from './command-context'
import { t } from './language'
import { findProfile } from './profile-name'

/** Networks of this computer that a full tunnel leaves alone. */
const privateNetworks = rangesOf([
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '127.0.0.0/8',
  'fc00::/7',
  'fe80::/10',
  '::1',
])

/**
 * Returns the address from which an SSH connection has started this program, if a full tunnel would take the answers to it:
 * undefined without such a connection, and for one from a private network of this computer.
 */
export function remoteShell(
  env: Readonly<Record<string, string | undefined>>,
  networks: readonly string[],
): string | undefined {
  const [client = ''] = (env.SSH_CONNECTION ?? '').split(' ')
  const [plain = ''] = client.replace(/^::ffff:(?=\d+\.)/i, '').split('%')
  const address = addressNumber(plain)
  if (address === undefined) return undefined
  const range = rangeOf(address.family, address.value, address.family === 4 ? 32 : 128)
  const isNear = rangesOf(networks).some(
    (network) => contains(network, range) && privateNetworks.some((each) => contains(each, network)),
  )
  return isNear ? undefined : plain
}

/**
 * Asks before a full tunnel that may end the SSH connection in which somebody types this command. Throws
 * `usage/invalid-argument` where nobody can be asked, and `http/cancelled`.
 */
export async function confirmOverSsh(
  context: Context,
  chosen: () => Promise<{ readonly instance: Instance; readonly profileId: string }>,
): Promise<void> {
  const networks = Object.values(networkInterfaces()).flatMap(
    (each) => each?.map(({ cidr }) => cidr ?? '') ?? [],
  )
  const address = remoteShell(process.env, networks)
  if (address === undefined) return
  const { instance, profileId } = await chosen()
  // One that isn't known may be any.
  if ((await findProfile(context, instance, profileId))?.defaultGateway === false) return
  const question = () => t('terminal.connection.endsSsh', { address })
  if (agrees(await askUnlessYes(question, 'ends-ssh', context))) return
  throw new CausewayError('http/cancelled', { variant: 'nothing-changed' })
}

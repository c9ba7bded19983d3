import type { Command } from 'commander'
import { resolveLocalized } from '../../portal/localized-value'
import { isSupported } from '../../portal/portal'
import { runnableProtocols } from '../../privilege/wireguard-here'
import { onInstance, withInstance, withInstanceArgument } from '../context'
import { t } from '../language'
import { onlyProfile, withProfile } from '../profile-name'
import { tellUnreadable } from '../tell-unreadable'
import { table } from '../terminal'

export function addProfileCommands(program: Command): void {
  const profile = program.command('profile').description('see what you can connect to')

  withInstanceArgument(profile.command('list').description('list the profiles')).action(
    onInstance(async (context) => {
      const { instance } = context
      const { items, unreadable } = await context.authorizedRead(instance, (portal) =>
        portal.profiles(context.signal),
      )
      const languages = await context.languages()
      const runnable = await runnableProtocols()
      const resolved = items.map((one) => ({
        ...one,
        // Version 2 of the API has only OpenVPN.
        protocols: one.protocols ?? ['openvpn'],
        displayName: resolveLocalized(one.displayName, languages),
        notSupported: isSupported(one, runnable) ? undefined : true,
      }))
      context.terminal.result(
        resolved,
        resolved.length === 0
          ? t('terminal.profile.none', { instance: instance.id })
          : table(
              [t('terminal.column.profile'), t('terminal.column.name'), t('terminal.column.traffic')],
              resolved.map(({ profileId, displayName, defaultGateway, notSupported, protocols }) => [
                profileId,
                notSupported ? t(unsupportedText(protocols), { name: displayName }) : displayName,
                trafficOf(defaultGateway),
              ]),
            ),
      )
      tellUnreadable(context.terminal, 'vpn-api/invalid-response', unreadable)
    }),
  )

  withInstance(profile.command('config'))
    .description('show the configuration that the VPN program gets, without the private key')
    .argument('[profile]', "the profile's ID or name; optional if there is only one profile")
    .action(
      onInstance<[string | undefined, object]>(async (context, named) => {
        const { instance, login, services, signal } = context
        const profile = named ?? (await onlyProfile(context, instance))
        const config = await withProfile(context, instance, profile, (profileId) =>
          services.describeTunnel(instance, profileId, { login, signal }),
        )
        context.terminal.document({ config }, config.trimEnd())
      }),
    )
}

function trafficOf(defaultGateway: boolean | undefined): string {
  if (defaultGateway === undefined) return t('terminal.profile.unknown')
  return defaultGateway ? t('terminal.profile.all') : t('terminal.profile.some')
}

/** Returns the text for a profile that this computer can't run. */
function unsupportedText(protocols: readonly string[]) {
  return protocols.includes('wireguard') ? 'terminal.profile.needsWireGuard' : 'terminal.profile.notSupported'
}

import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isUnderWay } from '../../../contract/connection-summary'
import type { InstanceSlice } from '../../../contract/state'
import { serviceName } from '../../../contract/service-name'
import { useAppState, useCommand } from '../../store/context'
import { AskDialog, Dialog } from '../../ui/ask-dialog'
import { ErrorNote } from '../../ui/error-note'
import { MoreMenu } from '../../ui/more-menu'
import { showPage } from '../../ui/use-view'
import { HelpDesk, LocationSelect } from './listing'

type Asked = 'sign-out' | 'remove' | 'location' | 'help-desk'

/** What can be done about a service, besides connecting. */
export function ServiceMenu({
  instance,
  waitsBehind,
  refresh,
}: {
  readonly instance: InstanceSlice
  /** A sign-in to it waits for the browser, while the stage shows a later one to another service. */
  readonly waitsBehind: boolean
  readonly refresh: () => void
}): ReactNode {
  const { t } = useTranslation()
  const { connection } = useAppState()
  const [asked, setAsked] = useState<Asked>()
  const signOut = useCommand('logOut')
  const cancelSignIn = useCommand('cancelLogIn')
  const remove = useCommand('removeInstance')
  const { id: instanceId, login, listing, managed } = instance
  const name = serviceName(instance)
  const endsTunnel =
    isUnderWay(connection) && 'target' in connection && connection.target.instanceId === instanceId
  const failure = signOut.error ?? cancelSignIn.error ?? remove.error
  const entry = (key: string, label: string, onChoose: () => void) => ({ key, label, onChoose })
  const ask = (what: Asked) => () => {
    setAsked(what)
  }
  const close = (): void => {
    setAsked(undefined)
  }
  return (
    <>
      <MoreMenu
        label={t('instance.moreFor', { name })}
        entries={[
          ...(waitsBehind
            ? [
                entry('cancel-sign-in', t('instance.cancelSignIn'), () => {
                  void cancelSignIn.run({ instanceId })
                }),
              ]
            : []),
          ...(login === 'signed-in'
            ? [
                entry('refresh', t('instance.refresh'), refresh),
                {
                  ...entry('sign-out', t('instance.logOut'), () => {
                    if (endsTunnel) setAsked('sign-out')
                    else void signOut.run({ instanceId })
                  }),
                  danger: true as const,
                },
              ]
            : []),
          ...(listing?.location === undefined
            ? []
            : [entry('location', `${t('directory.location.label')}…`, ask('location'))]),
          ...(listing === undefined || listing.supportContacts.length === 0
            ? []
            : [entry('help-desk', `${t('directory.help.label')}…`, ask('help-desk'))]),
          entry('settings', t('instance.settingsOf'), () => {
            showPage('settings', 'instances', instanceId)
          }),
          ...(managed === true
            ? []
            : [{ ...entry('remove', t('instance.removeService'), ask('remove')), danger: true as const }]),
        ]}
      />
      {failure && <ErrorNote error={failure} />}
      {asked === 'sign-out' && (
        <AskDialog
          question={t('instance.signOutQuestion', { name })}
          confirm={t('instance.signOutConfirm')}
          keep={t('instance.notNow')}
          danger
          onAnswer={(confirmed) => {
            close()
            if (confirmed) void signOut.run({ instanceId })
          }}
        />
      )}
      {asked === 'remove' && (
        <AskDialog
          question={t('settings.removeQuestion', { instance: name })}
          confirm={t('settings.removeConfirm', { instance: name })}
          keep={t('settings.keep')}
          danger
          onAnswer={(confirmed) => {
            close()
            if (confirmed) void remove.run({ instanceId })
          }}
        />
      )}
      {asked === 'location' && listing?.location !== undefined && (
        <Dialog title={name} onClose={close}>
          <LocationSelect instanceId={instanceId} location={listing.location} />
        </Dialog>
      )}
      {asked === 'help-desk' && listing !== undefined && (
        <Dialog title={t('directory.help.of', { name })} onClose={close}>
          <HelpDesk instanceId={instanceId} listing={listing} />
        </Dialog>
      )}
    </>
  )
}

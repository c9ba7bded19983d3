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

/** What a person is asked or shown before it is done. */
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
  const signedOut = signOut.error?.code === 'oauth/cancelled' ? undefined : signOut.error
  const failure = signedOut ?? cancelSignIn.error ?? remove.error
  const entry = (key: string, label: string, onChoose: () => void) => ({ key, label, onChoose })
  const ask = (what: Asked) => () => {
    setAsked(what)
  }
  const cancel = entry('cancel-sign-in', t('instance.cancelSignIn'), () => {
    void cancelSignIn.run({ instanceId })
  })
  const leave = entry('sign-out', t('instance.logOut'), () => {
    if (endsTunnel) setAsked('sign-out')
    else void signOut.run({ instanceId })
  })
  const isSignedIn = login === 'signed-in'
  const hasHelp = listing !== undefined && listing.supportContacts.length > 0
  const entries = [
    waitsBehind && cancel,
    isSignedIn && entry('refresh', t('instance.refresh'), refresh),
    isSignedIn && { ...leave, danger: true as const },
    listing?.location !== undefined &&
      entry('location', `${t('directory.location.label')}…`, ask('location')),
    hasHelp && entry('help-desk', `${t('directory.help.label')}…`, ask('help-desk')),
    entry('settings', t('instance.settingsOf'), () => {
      showPage('settings', 'instances', instanceId)
    }),
    managed !== true && {
      ...entry('remove', t('instance.removeService'), ask('remove')),
      danger: true as const,
    },
  ]
  return (
    <>
      <MoreMenu label={t('instance.moreFor', { name })} entries={entries.filter((each) => each !== false)} />
      {failure && <ErrorNote error={failure} />}
      <ServiceDialog
        asked={asked}
        instance={instance}
        onClose={() => {
          setAsked(undefined)
        }}
        onSignOut={() => void signOut.run({ instanceId })}
        onRemove={() => void remove.run({ instanceId })}
      />
    </>
  )
}

/** The question or page that a choice in the menu opens. */
function ServiceDialog({
  asked,
  instance,
  onClose,
  onSignOut,
  onRemove,
}: {
  readonly asked: Asked | undefined
  readonly instance: InstanceSlice
  readonly onClose: () => void
  readonly onSignOut: () => void
  readonly onRemove: () => void
}): ReactNode {
  const { t } = useTranslation()
  const { id: instanceId, listing } = instance
  const name = serviceName(instance)
  if (asked === 'sign-out' || asked === 'remove') {
    const isRemove = asked === 'remove'
    return (
      <AskDialog
        key={asked}
        question={
          isRemove
            ? t('settings.removeQuestion', { instance: name })
            : t('instance.signOutQuestion', { name })
        }
        confirm={isRemove ? t('settings.removeConfirm', { instance: name }) : t('instance.signOutConfirm')}
        keep={t(isRemove ? 'settings.keep' : 'instance.notNow')}
        danger
        onAnswer={(confirmed) => {
          onClose()
          if (!confirmed) return
          if (isRemove) onRemove()
          else onSignOut()
        }}
      />
    )
  }
  if (asked === 'location' && listing?.location !== undefined)
    return (
      <Dialog title={name} close={t('instance.close')} onClose={onClose}>
        <LocationSelect instanceId={instanceId} location={listing.location} />
      </Dialog>
    )
  if (asked === 'help-desk' && listing !== undefined)
    return (
      <Dialog title={t('directory.help.of', { name })} close={t('instance.close')} onClose={onClose}>
        <HelpDesk instanceId={instanceId} listing={listing} />
      </Dialog>
    )
  return null
}

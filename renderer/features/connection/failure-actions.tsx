import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ConnectionTarget } from '../../../contract/connection'
import type { ErrorCode, ErrorReport } from '../../../contract/error-codes'
import { ipcError } from '../../store/ipc-error'
import { useAppState, useCommand } from '../../store/context'
import { CommandButton } from '../../ui/command-button'
import { ErrorNote } from '../../ui/error-note'
import { showView } from '../../ui/use-view'
import styles from './connection.module.css'

/** Failures that a network which drops UDP causes. */
const helpedByTcp: readonly ErrorCode[] = ['openvpn/unreachable', 'openvpn/timed-out']
const wantsOpenVpn: readonly ErrorCode[] = ['openvpn/not-found', 'openvpn/too-old']

/** The buttons that help after a failed connection, beside Try again. */
export function FailureActions({
  error,
  target,
}: {
  readonly error: ErrorReport
  readonly target: ConnectionTarget
}): ReactNode {
  const { t } = useTranslation()
  const { settings } = useAppState()
  const connect = useCommand('connect')
  const { code } = error
  const failure = ipcError(connect.error, error)
  return (
    <div className={styles.actions}>
      {helpedByTcp.includes(code) && !settings.preferTcp && (
        <Button variant="default" onClick={() => void connect.run({ ...target, preferTcp: true })}>
          {t('connection.tryTcp')}
        </Button>
      )}
      {wantsOpenVpn.includes(code) && (
        <CommandButton command="setOpenVpn" input={{ by: 'dialog' }}>
          {t('connection.chooseOpenVpn')}
        </CommandButton>
      )}
      {/^(?:openvpn|helper|clock)\//.test(code) && (
        <Button
          variant="default"
          onClick={() => {
            showView('doctor')
          }}
        >
          {t('connection.checkComputer')}
        </Button>
      )}
      {failure && <ErrorNote error={failure} />}
    </div>
  )
}

import { Input } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useAppState } from '../../store/context'
import { CommandButton } from '../../ui/command-button'
import page from '../../ui/page.module.css'
import { useManaged } from './setting-switch'
import styles from './settings.module.css'

/** The OpenVPN program in use. Another one is chosen in a system dialog, so that the page names no program. */
export function OpenVpnPath(): ReactNode {
  const { t } = useTranslation()
  const { openvpnPath } = useAppState().settings
  const managed = useManaged()('openvpnPath')
  const isDetected = openvpnPath === ''
  return (
    <div className={styles.openvpn} role="group" aria-label={t('settings.openvpnPath.label')}>
      <Input.Wrapper
        labelElement="div"
        label={t('settings.openvpnPath.label')}
        description={managed ?? t('settings.openvpnPath.text')}
      >
        <p className={styles.program}>
          {isDetected ? t('settings.openvpnPath.detected') : <bdi dir="ltr">{openvpnPath}</bdi>}
        </p>
      </Input.Wrapper>
      {managed === undefined && (
        <div className={page.buttons}>
          <CommandButton command="setOpenVpn" input={{ by: 'dialog' }}>
            {t('settings.openvpnPath.choose')}
          </CommandButton>
          {!isDetected && (
            <CommandButton command="setOpenVpn" input={{ by: 'detection' }}>
              {t('settings.openvpnPath.detect')}
            </CommandButton>
          )}
        </div>
      )}
    </div>
  )
}

import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useAppState, useCommand } from '../../store/context'
import { useServiceName } from '../../store/profile-name'
import page from '../../ui/page.module.css'
import { Question } from '../../ui/question'
import { usePart } from '../../ui/use-view'
import { InstanceSettingsForm } from './instance-settings'
import styles from './settings.module.css'
import { SettingsSection } from './settings-section'

/** Instances, each with its settings and a Remove button. */
export function InstanceList(): ReactNode {
  const { t } = useTranslation()
  const { instances } = useAppState()
  const named = usePart()
  return (
    <SettingsSection name="instances" title={t('settings.instances')}>
      {instances.length === 0 ? (
        <p className={page.quiet}>{t('settings.noInstances')}</p>
      ) : (
        <ul aria-label={t('settings.instances')}>
          {instances.map(({ id, managed }) => (
            <OneInstance key={id} id={id} managed={managed === true} isNamed={id === named} />
          ))}
        </ul>
      )}
    </SettingsSection>
  )
}

function OneInstance({
  id,
  managed,
  isNamed,
}: {
  readonly id: string
  readonly managed: boolean
  /** The address of the page names it. */
  readonly isNamed: boolean
}): ReactNode {
  const { t } = useTranslation()
  const name = useServiceName(id)
  const change = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // Scrolls to it, too.
    if (isNamed) change.current?.focus()
  }, [isNamed])
  const [asking, { open: ask, close: keep }] = useDisclosure()
  const [changing, setChanging] = useState(false)
  const [saved, setSaved] = useState(false)
  const remove = useCommand('removeInstance')
  return (
    <li className={styles.instance}>
      <div className={page.head}>
        <span className={styles.name}>
          <bdi>{name}</bdi>
          {name !== id && (
            <span className={page.quiet}>
              {' · '}
              <bdi dir="ltr">{id}</bdi>
            </span>
          )}
        </span>
        {!asking && !changing && (
          <div className={page.buttons}>
            <Button
              ref={change}
              data-arrival={isNamed || undefined}
              variant="subtle"
              aria-label={t('settings.instance.changeOf', { instance: name })}
              onClick={() => {
                setChanging(true)
                setSaved(false)
              }}
            >
              {t('settings.instance.change')}
            </Button>
            {!managed && (
              <Button data-danger variant="subtle" className={page.textAtEnd} onClick={ask}>
                {t('settings.remove')}
              </Button>
            )}
          </div>
        )}
      </div>
      {managed && <p className={page.quiet}>{t('settings.managedInstance')}</p>}
      <p aria-live="polite" className={page.quiet} hidden={!saved}>
        {saved ? t('settings.instance.saved') : ''}
      </p>
      {changing && (
        <InstanceSettingsForm
          instanceId={id}
          onDone={(how) => {
            setChanging(false)
            setSaved(how === 'saved')
          }}
        />
      )}
      {asking && (
        <Question
          question={t('settings.removeQuestion', { instance: name })}
          error={remove.error}
          confirm={t('settings.removeConfirm', { instance: name })}
          keep={t('settings.keep')}
          pending={remove.pending}
          onConfirm={() => void remove.run({ instanceId: id })}
          onKeep={keep}
        />
      )}
    </li>
  )
}

import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useAppState, useCommand } from '../../store/context'
import page from '../../ui/page.module.css'
import { Question } from '../../ui/question'
import { InstanceSettingsForm } from './instance-settings'
import styles from './settings.module.css'

/** The instances, each with its own settings and the way to remove it. */
export function InstanceList(): ReactNode {
  const { t } = useTranslation()
  const { instances } = useAppState()
  return (
    <section className={page.card}>
      <h2>{t('settings.instances')}</h2>
      {instances.length === 0 ? (
        <p className={page.quiet}>{t('settings.noInstances')}</p>
      ) : (
        <ul>
          {instances.map(({ id }) => (
            <OneInstance key={id} id={id} />
          ))}
        </ul>
      )}
    </section>
  )
}

function OneInstance({ id }: { readonly id: string }): ReactNode {
  const { t } = useTranslation()
  const [asking, setAsking] = useState(false)
  const [changing, setChanging] = useState(false)
  const [saved, setSaved] = useState(false)
  const remove = useCommand('removeInstance')
  return (
    <li className={styles.instance}>
      <div className={page.head}>
        <bdi className={styles.name}>{id}</bdi>
        {!asking && !changing && (
          <div className={styles.buttons}>
            <Button
              variant="subtle"
              aria-label={t('settings.instance.changeOf', { instance: id })}
              onClick={() => {
                setChanging(true)
                setSaved(false)
              }}
            >
              {t('settings.instance.change')}
            </Button>
            <Button
              variant="subtle"
              className={page.textAtEnd}
              onClick={() => {
                setAsking(true)
              }}
            >
              {t('settings.remove')}
            </Button>
          </div>
        )}
      </div>
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
          question={t('settings.removeQuestion', { instance: id })}
          error={remove.error}
          confirm={t('settings.removeConfirm', { instance: id })}
          keep={t('settings.keep')}
          pending={remove.pending}
          onConfirm={() => {
            void remove.run({ instanceId: id })
          }}
          onKeep={() => {
            setAsking(false)
          }}
        />
      )}
    </li>
  )
}

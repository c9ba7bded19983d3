import { Button, VisuallyHidden } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useAppState } from '../../store/context'
import { useShownInstance } from '../../store/shown-instance'
import { InstanceSelect } from '../../ui/instance-select'
import page from '../../ui/page.module.css'
import { AddInstance } from '../instances/add-instance'
import { InstanceCard } from '../instances/instance-card'
import { Welcome } from '../instances/welcome'
import { ConnectionCard } from './connection-card'

/** The first view: the connection, and the instances with their profiles to connect with. */
export function ConnectionView(): ReactNode {
  const { t } = useTranslation()
  const { instances } = useAppState()
  const { shown, choose } = useShownInstance()
  const [adding, setAdding] = useState(false)
  if (instances.length === 0) {
    return <Welcome />
  }
  const done = (): void => {
    setAdding(false)
  }
  return (
    <>
      <VisuallyHidden>
        <h1>{t('connection.title')}</h1>
      </VisuallyHidden>
      {shown && <InstanceSelect shown={shown.id} onChoose={choose} />}
      <ConnectionCard instance={shown} />
      {shown && <InstanceCard key={shown.id} instance={shown} />}
      {adding ? (
        <section className={page.card}>
          <h2>{t('instance.addAnother')}</h2>
          <AddInstance onDone={done} />
        </section>
      ) : (
        <div>
          <Button
            variant="subtle"
            className={page.textAtStart}
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => {
              setAdding(true)
            }}
          >
            {t('instance.addAnother')}
          </Button>
        </div>
      )}
    </>
  )
}

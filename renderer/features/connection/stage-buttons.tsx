import { Button } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ConnectionTarget } from '../../../contract/connection'
import type { Verb } from '../../../contract/verbs'
import { useAppState, useCommand } from '../../store/context'
import { useProfileName } from '../../store/profile-name'
import { useErrorTexts } from '../../ui/use-error-text'
import { useSteadyClick } from '../../ui/use-steady-click'
import styles from './stage.module.css'

/** The id of the details' element, for the button that opens them. */
export const detailsId = 'connection-details'

interface ActProps {
  readonly verb: Verb
  readonly label: string
  readonly loading: boolean
  readonly act: (verb: Verb) => void
}

/** What to do: filled if it's the step that helps, unless it ends something. */
export function MainButton({
  verb,
  label,
  about,
  helps,
  loading,
  disabled,
  act,
}: ActProps & {
  readonly about: ConnectionTarget | undefined
  readonly helps: boolean
  readonly disabled: boolean
}): ReactNode {
  const name = useProfileName(about)
  const ends = ['disconnect', 'cancel', 'cancelSignIn'].includes(verb)
  const named = ['connect', 'reconnect', 'tryAgain'].includes(verb)
  // Buttons that do the same may take a click meant for each other.
  const does = ends ? 'end' : named ? 'connect' : verb
  const onClick = useSteadyClick(`${does} ${about?.instanceId ?? ''} ${about?.profileId ?? ''}`, () => {
    act(verb)
  })
  return (
    <Button
      data-arrival
      variant={ends || !helps ? 'default' : 'filled'}
      className={styles.main}
      loading={loading}
      disabled={disabled}
      aria-label={named && name !== undefined ? `${label}: ${name}` : undefined}
      onClick={onClick}
    >
      {label}
    </Button>
  )
}

export function SideButton({
  verb,
  label,
  filled,
  loading,
  act,
}: ActProps & { readonly filled: boolean }): ReactNode {
  const onClick = useSteadyClick(verb, () => {
    act(verb)
  })
  return (
    <Button
      variant={filled ? 'filled' : 'default'}
      className={styles.side}
      loading={loading}
      onClick={onClick}
    >
      {label}
    </Button>
  )
}

/** Opens and closes the technical side, below. */
export function DetailsButton(): ReactNode {
  const { t } = useTranslation()
  const { settings } = useAppState()
  const set = useCommand('setSetting')
  const errorTexts = useErrorTexts()
  const problemId = useId()
  const open = settings.connectionDetails
  return (
    <>
      <Button
        variant="subtle"
        className={styles.details}
        rightSection={
          open ? <IconChevronUp size={16} aria-hidden /> : <IconChevronDown size={16} aria-hidden />
        }
        aria-expanded={open}
        aria-controls={detailsId}
        aria-describedby={set.error && problemId}
        onClick={() => void set.run({ name: 'connectionDetails', value: String(!open) })}
      >
        {t('connection.details')}
      </Button>
      {set.error && (
        <span id={problemId} role="alert" className={styles.problem}>
          {errorTexts(set.error).what} ({set.error.code})
        </span>
      )}
    </>
  )
}

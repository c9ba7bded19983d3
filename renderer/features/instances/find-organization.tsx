import { Button, Combobox, TextInput, useCombobox } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useState, type ReactNode, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import type { CommandResult } from '../../../contract/commands'
import type { FoundOrganization } from '../../../contract/organization-list'
import { useCommand } from '../../store/context'
import { useResult } from '../../store/use-result'
import { ErrorNote } from '../../ui/error-note'
import page from '../../ui/page.module.css'
import { Unreadable } from '../../ui/unreadable'
import styles from './instances.module.css'

/** A way to add a service: by its organization or by its address. */
export interface WayToAdd {
  /** Ref of the field. */
  readonly field: RefObject<HTMLInputElement | null>
  readonly onDone: ((instanceId?: string) => void) | undefined
  /** The other ways, as buttons. */
  readonly children: ReactNode
}

/** Asks for the person's organization, searches as they type, and adds the one that they choose. */
export function FindOrganization({ field, onDone, children }: WayToAdd): ReactNode {
  const { t } = useTranslation()
  const [words, setWords] = useState('')
  const [dismissed, setDismissed] = useState(false)
  const add = useCommand('addOrganization')
  const [adding, setAdding] = useState('')
  const answer = useSearch(words)
  const result = answer?.ok === true ? answer.value : undefined
  const found = result?.found ?? []
  const combobox = useCombobox({ opened: found.length > 0 })

  useEffect(() => {
    // On the first screen, which looks for its field before this is loaded (Welcome).
    if (document.activeElement === document.body) field.current?.focus({ preventScroll: true })
  }, [field])

  async function choose(id: string): Promise<void> {
    if (add.pending) return
    setAdding(found.find((each) => each.id === id)?.name ?? '')
    const added = await add.run({ id })
    if (added.ok) onDone?.(added.value.instanceId)
  }

  return (
    <div className={styles.form}>
      <Combobox store={combobox} onOptionSubmit={(id) => void choose(id)}>
        <Combobox.EventsTarget withExpandedAttribute>
          <TextInput
            ref={field}
            label={t('directory.question')}
            description={t('directory.hint')}
            leftSection={<IconSearch size={16} aria-hidden />}
            value={words}
            maxLength={200}
            autoComplete="off"
            autoCorrect="off"
            spellCheck={false}
            onChange={(event) => {
              setWords(event.currentTarget.value)
              combobox.resetSelectedOption()
            }}
          />
        </Combobox.EventsTarget>
        <p aria-live="polite" className={page.quiet} hidden={result === undefined && !add.pending}>
          {add.pending ? t('directory.adding', { name: adding }) : <Outcome result={result} />}
        </p>
        {found.length > 0 && (
          <Combobox.Options aria-label={t('directory.list')} className={styles.found} tabIndex={-1}>
            {found.map((each) => (
              <Combobox.Option key={each.id} value={each.id} className={styles.organization}>
                <Organization {...each} />
              </Combobox.Option>
            ))}
          </Combobox.Options>
        )}
      </Combobox>
      <Unreadable count={result?.unreadable ?? 0} />
      {answer?.ok === false && <ErrorNote error={answer.error} />}
      {result?.problem !== undefined && !dismissed && (
        <div className={styles.form}>
          <ErrorNote error={result.problem} tone="notice" />
          <div>
            <Button
              variant="default"
              onClick={() => {
                setDismissed(true)
              }}
            >
              {t('notices.dismiss')}
            </Button>
          </div>
        </div>
      )}
      {add.error && <ErrorNote error={add.error} />}
      <div className={styles.buttons}>{children}</div>
    </div>
  )
}

/** The search results for the current words; undefined without words or until the first result. */
function useSearch(words: string): CommandResult<'searchOrganizations'> | undefined {
  const isAsked = words.trim() !== ''
  const { result } = useResult('searchOrganizations', { words }, { isWanted: isAsked })
  return isAsked ? result : undefined
}

function Outcome({
  result,
}: {
  readonly result: { readonly found: readonly unknown[]; readonly total: number } | undefined
}): ReactNode {
  const { t } = useTranslation()
  if (result === undefined) return ''
  const { found, total } = result
  if (total === 0) return t('directory.none')
  return total > found.length
    ? t('directory.first', { shown: found.length, total })
    : t('directory.found', { total })
}

function Organization({ name, type, host }: FoundOrganization): ReactNode {
  const { t } = useTranslation()
  return (
    <>
      <span dir="auto">{name}</span>
      <span className={styles.kind}>
        {t(type === 'secure_internet' ? 'directory.secure' : 'directory.institute')}
        {host !== undefined && (
          <>
            {' · '}
            <bdi dir="ltr">{host}</bdi>
          </>
        )}
      </span>
    </>
  )
}

import { Anchor, Button, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useId, useRef, useState, type ReactNode, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { useAppState, useBridge } from '../../store/context'
import { ErrorNote } from '../../ui/error-note'
import page from '../../ui/page.module.css'
import { Unreadable } from '../../ui/unreadable'
import { FoundOrganizations, optionId, useMark, type Mark } from './found-organizations'
import styles from './instances.module.css'
import { AskHelpDesk, FoundPortal } from './portal-search'
import { SearchProblem, useOutcome, useSearch, type Search } from './organization-search'
import { usePlace, type Step } from './use-place'

interface FindServiceProps {
  readonly field: RefObject<HTMLInputElement | null>
  /** The id of the heading with the question and of the text below it; by default, the field has its own. */
  readonly labelledBy?: { readonly question: string; readonly hint: string }
  /** Asks for the address of a VPN, and for nothing else. */
  readonly isExact: boolean
  readonly onExact: (isExact: boolean) => void
  readonly onBusy?: (isBusy: boolean) => void
  readonly onAdded: (instanceId: string) => void
  readonly onCancel?: () => void
}

/**
 * Asks where a person studies or works. Finds the service in the lists, at a domain after asking, or at an address, and adds
 * it. Nothing is asked or added before the person continues.
 */
export function FindService(props: FindServiceProps): ReactNode {
  const { field, labelledBy, isExact, onExact, onCancel } = props
  const { t } = useTranslation()
  const [dismissed, setDismissed] = useState(false)
  const { text, isAddress, type, submit, askForHelp, place, step, search, results, listId, mark } =
    useFinding(props)
  const { problem, adding } = place
  // One message at a time.
  const isAnswered = problem !== undefined || step.at === 'nothing' || step.at === 'offline'
  return (
    <div className={styles.form}>
      <Question
        {...{ field, labelledBy, isExact, isAddress, text, listId, mark, count: results.length }}
        isWaiting={adding !== undefined || step.at === 'looking'}
        isAnswered={isAnswered || step.at === 'found'}
        onType={type}
        onSubmit={submit}
      />
      <Progress
        {...{ adding, step }}
        hint={isAddress && !isExact && labelledBy !== undefined ? t('directory.exactHint') : undefined}
        result={isAnswered ? undefined : search.result}
      />
      {results.length > 0 && (
        <FoundOrganizations
          {...{ listId, results }}
          marked={mark.index}
          onChoose={({ id, name }) => {
            place.addOrganization(id, name)
          }}
        />
      )}
      <Answer
        step={step}
        isAdding={adding !== undefined}
        onYes={place.addAddress}
        onNo={place.decline}
        onRetry={submit}
      />
      <Unreadable count={search.result?.unreadable ?? 0} />
      {!isAnswered && (
        <SearchProblem
          {...search}
          isDismissed={dismissed}
          onDismiss={() => {
            setDismissed(true)
          }}
        />
      )}
      {problem && <ErrorNote error={problem} />}
      <OtherWays
        {...{ step, isExact, onCancel }}
        onDomain={
          results.length > 0 && /[.@]/.test(text)
            ? () => {
                place.lookAt(text)
              }
            : undefined
        }
        onExact={() => {
          onExact(!isExact)
          type('')
          field.current?.focus()
        }}
        onHelp={askForHelp}
      />
    </div>
  )
}

/** Returns what is in the field, what is found for it, and what the person can do. */
function useFinding({ field, isExact, onBusy, onAdded }: FindServiceProps) {
  const [text, setText] = useState('')
  const [asksHelp, setAsksHelp] = useState(false)
  const place = usePlace({ onBusy, onAdded })
  const step: Step = asksHelp ? { at: 'help' } : place.step
  const linked = useLink(field, (address) => {
    type(address)
  })
  /** Continue asks exactly the address in the field. */
  const isAddress = isExact || (linked !== undefined && text === linked)
  const search = useSearch(text, isAddress)
  const results = step.at === 'results' ? (search.result?.results ?? []) : []
  const listId = useId()
  const mark = useMark(listId, results.length)
  const marked = results[mark.index]
  /** What was marked when the person continued, before the search for the last letters had ended. */
  const wanted = useRef<string>(undefined)
  const addWanted = useEffectEvent(() => {
    if (wanted.current !== undefined && marked?.id === wanted.current)
      place.addOrganization(marked.id, marked.name)
    wanted.current = undefined
  })
  useEffect(() => {
    if (!search.isPending) addWanted()
  }, [search.isPending])

  function type(typed: string): void {
    wanted.current = undefined
    place.forget()
    setText(typed)
    mark.set(0)
    setAsksHelp(false)
  }

  function submit(): void {
    if (place.adding !== undefined || step.at === 'looking' || text.trim() === '') return
    setAsksHelp(false)
    if (isAddress) {
      place.forget()
      place.addAddress(text)
    }
    // A match that the person hasn't seen yet is only shown; one that stays marked is taken then.
    else if (search.isPending) wanted.current = marked?.id
    else if (marked !== undefined) place.addOrganization(marked.id, marked.name)
    else place.lookAt(text)
  }

  return {
    text,
    isAddress,
    type,
    submit,
    askForHelp: () => {
      place.forget()
      setAsksHelp(true)
    },
    place,
    step,
    search,
    results,
    listId,
    mark,
  }
}

/** Returns the address of the last link, once the field has it. Moves the focus to the field, but not from elsewhere. */
function useLink(
  field: RefObject<HTMLInputElement | null>,
  onAddress: (address: string) => void,
): string | undefined {
  const bridge = useBridge()
  const { linkAddress } = useAppState()
  const [linked, setLinked] = useState<string>()
  if (linkAddress !== undefined && linkAddress !== linked) setLinked(linkAddress)
  useEffect(() => {
    // Such as after a change of view. Keep the title in view.
    const { activeElement } = document
    if (activeElement === document.body || activeElement instanceof HTMLDialogElement)
      field.current?.focus({ preventScroll: true })
  }, [field])
  const take = useEffectEvent(onAddress)
  useEffect(() => {
    if (linkAddress === undefined) return
    take(linkAddress)
    field.current?.focus()
    void bridge.run('takeLinkAddress', undefined)
  }, [bridge, field, linkAddress])
  return linked
}

function Question({
  field,
  labelledBy,
  isExact,
  isAddress,
  text,
  listId,
  mark,
  count,
  isWaiting,
  isAnswered,
  onType,
  onSubmit,
}: Pick<FindServiceProps, 'field' | 'labelledBy' | 'isExact'> & {
  readonly isAddress: boolean
  readonly text: string
  readonly listId: string
  readonly mark: Mark
  /** Of the organizations found. */
  readonly count: number
  readonly isWaiting: boolean
  /** Something else is the next step. */
  readonly isAnswered: boolean
  readonly onType: (text: string) => void
  readonly onSubmit: () => void
}): ReactNode {
  const { t } = useTranslation()
  const { organizationSearch } = useAppState()
  const hint = t(isAddress ? 'directory.exactHint' : 'directory.hint')
  return (
    <form
      className={styles.question}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <TextInput
        ref={field}
        className={styles.place}
        {...(labelledBy === undefined
          ? { label: t(isExact ? 'directory.exact' : 'directory.question'), description: hint }
          : { 'aria-labelledby': labelledBy.question, 'aria-describedby': labelledBy.hint })}
        // A text box with and without a list, as it is named: it can be filled without one, and what is found is announced.
        {...(organizationSearch.available && {
          'aria-autocomplete': 'list',
          'aria-controls': count > 0 ? listId : undefined,
          'aria-activedescendant': count > 0 ? optionId(listId, mark.index) : undefined,
        })}
        leftSection={<IconSearch size={18} aria-hidden />}
        value={text}
        maxLength={2048}
        autoCapitalize="off"
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        onChange={(event) => {
          onType(event.currentTarget.value)
        }}
        onKeyDown={mark.onKeyDown}
      />
      <Button
        type="submit"
        variant={isAnswered ? 'default' : 'filled'}
        disabled={text.trim() === ''}
        loading={isWaiting}
      >
        {t('directory.continue')}
      </Button>
    </form>
  )
}

/** Says what goes on, or how many organizations match. */
function Progress({
  adding,
  step,
  hint,
  result,
}: {
  readonly adding: string | undefined
  readonly step: Step
  readonly hint: string | undefined
  readonly result: Search['result']
}): ReactNode {
  const { t } = useTranslation()
  const outcome = useOutcome(result)
  const said =
    adding !== undefined
      ? t('directory.adding', { name: adding })
      : step.at === 'looking'
        ? t('directory.looking', { hosts: step.hosts.join(', ') })
        : (hint ?? (step.at === 'results' ? outcome : ''))
  return (
    <p aria-live="polite" className={page.quiet} hidden={said === ''}>
      {said}
    </p>
  )
}

/** What looking led to, with its next step. */
function Answer({
  step,
  isAdding,
  onYes,
  onNo,
  onRetry,
}: {
  readonly step: Step
  readonly isAdding: boolean
  readonly onYes: (address: string) => void
  readonly onNo: () => void
  readonly onRetry: () => void
}): ReactNode {
  const { t } = useTranslation()
  const { organizationSearch } = useAppState()
  switch (step.at) {
    case 'results':
    case 'looking':
      return null
    case 'found':
      return <FoundPortal key={step.address} address={step.address} {...{ isAdding, onYes, onNo }} />
    case 'nothing':
      return (
        <>
          <p role="alert">
            {step.hosts.length > 0
              ? t('directory.nowhere', { hosts: step.hosts.join(', ') })
              : t(organizationSearch.available ? 'directory.none' : 'directory.noList')}
          </p>
          <AskHelpDesk hosts={step.hosts} />
        </>
      )
    case 'help':
      return <AskHelpDesk hosts={[]} />
    case 'offline':
      return (
        <div className={styles.answer}>
          <div role="alert">
            <p className={styles.offline}>{t('directory.offline.title')}</p>
            <p>{t('directory.offline.text')}</p>
          </div>
          <div>
            <Button variant="default" loading={isAdding} onClick={onRetry}>
              {t('instance.retry')}
            </Button>
          </div>
        </div>
      )
  }
}

function OtherWays({
  step,
  isExact,
  onDomain,
  onExact,
  onHelp,
  onCancel,
}: {
  readonly step: Step
  readonly isExact: boolean
  /** Absent where the text names no domain. */
  readonly onDomain: (() => void) | undefined
  readonly onExact: () => void
  readonly onHelp: () => void
  readonly onCancel: (() => void) | undefined
}): ReactNode {
  const { t } = useTranslation()
  const canHelp = step.at === 'results' || step.at === 'found' || step.at === 'looking'
  return (
    <div className={styles.otherWays}>
      {onDomain && <OtherWay text={t('directory.atDomain')} onClick={onDomain} />}
      <OtherWay text={t(isExact ? 'instance.back' : 'directory.exact')} onClick={onExact} />
      {canHelp && <OtherWay text={t('directory.help.ask')} onClick={onHelp} />}
      {onCancel && <OtherWay text={t('instance.notNow')} onClick={onCancel} />}
    </div>
  )
}

function OtherWay({ text, onClick }: { readonly text: string; readonly onClick: () => void }): ReactNode {
  return (
    <Anchor component="button" type="button" inherit ta="start" className={styles.otherWay} onClick={onClick}>
      {text}
    </Anchor>
  )
}

import { Anchor, Button, TextInput } from '@mantine/core'
import { IconBuilding, IconCornerDownLeft, IconSearch, IconWorld } from '@tabler/icons-react'
import { useEffect, useId, useRef, useState, type ReactNode, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import type { CommandResult } from '../../../contract/commands'
import type { ErrorReport } from '../../../contract/error-codes'
import type { FoundOrganization } from '../../../contract/organization-list'
import { useAppState, useBridge } from '../../store/context'
import { useResult } from '../../store/use-result'
import { ErrorNote } from '../../ui/error-note'
import page from '../../ui/page.module.css'
import { Unreadable } from '../../ui/unreadable'
import styles from './instances.module.css'
import { AskHelpDesk, FoundPortal } from './portal-search'

/** What is shown below the field. */
type Step =
  | { readonly at: 'results' }
  | { readonly at: 'looking'; readonly hosts: readonly string[] }
  | { readonly at: 'found'; readonly addresses: readonly string[]; readonly hosts: readonly string[] }
  | { readonly at: 'nothing'; readonly hosts: readonly string[] }
  | { readonly at: 'help' }
  | { readonly at: 'offline' }

/** Failures that a computer without a network has, whatever the address. */
const withoutNetwork: readonly string[] = ['http/unreachable', 'http/timed-out']

/** The service isn't at the address, but may be near it: this is how a web site answers. */
const nearby: readonly string[] = ['discovery/not-found', 'discovery/not-json', 'discovery/server-error']

/**
 * Asks where a person studies or works. Finds the service in the lists, at a domain after asking, or at an address, and adds
 * it. Nothing is asked or added before the person continues.
 */
export function FindService({
  field,
  labelledBy,
  isExact,
  onExact,
  onBusy,
  onAdded,
  onCancel,
}: {
  readonly field: RefObject<HTMLInputElement | null>
  /** The id of the heading with the question and of the text below it; by default, the field has its own. */
  readonly labelledBy?: { readonly question: string; readonly hint: string }
  /** Asks for the address of a VPN, and for nothing else. */
  readonly isExact: boolean
  readonly onExact: (isExact: boolean) => void
  readonly onBusy?: (isBusy: boolean) => void
  readonly onAdded: (instanceId: string) => void
  readonly onCancel?: () => void
}): ReactNode {
  const { t } = useTranslation()
  const bridge = useBridge()
  const { linkAddress, organizationSearch } = useAppState()
  const [text, setText] = useState('')
  const [step, setStep] = useState<Step>({ at: 'results' })
  const [problem, setProblem] = useState<ErrorReport>()
  const [adding, setAdding] = useState<string>()
  const [dismissed, setDismissed] = useState(false)
  /** The address of a link. */
  const [linked, setLinked] = useState<string>()
  /** Continue asks exactly the address in the field. */
  const isAddress = isExact || (linked !== undefined && text === linked)
  const isSearched = organizationSearch.available && !isAddress && text.trim() !== ''
  const { result: answer, isPending } = useResult(
    'searchOrganizations',
    { words: text.slice(0, 200) },
    { isWanted: isSearched },
  )
  const result = isSearched && answer?.ok === true ? answer.value : undefined
  const found = step.at === 'results' ? (result?.found ?? []) : []
  /** The index of the one that Enter takes: the best match, unless the person chose another. */
  const [marked, setMarked] = useState(0)
  const listId = useId()
  /** Counts what the person has typed or asked, so that a late answer to something earlier changes nothing. */
  const round = useRef(0)
  useEffect(() => {
    // Don't move a focus that is elsewhere, such as after a change of view. Keep the title in view.
    const { activeElement } = document
    if (activeElement === document.body || activeElement instanceof HTMLDialogElement)
      field.current?.focus({ preventScroll: true })
  }, [field])
  const [taken, setTaken] = useState<string>()
  if (linkAddress !== taken) {
    setTaken(linkAddress)
    if (linkAddress !== undefined) {
      setText(linkAddress)
      setLinked(linkAddress)
      setStep({ at: 'results' })
      setProblem(undefined)
    }
  }
  useEffect(() => {
    if (linkAddress === undefined) return
    round.current += 1
    field.current?.focus()
    void bridge.run('takeLinkAddress', undefined)
  }, [bridge, field, linkAddress])

  function type(typed: string): void {
    round.current += 1
    setText(typed)
    setMarked(0)
    setStep({ at: 'results' })
    setProblem(undefined)
  }

  /** Asks for exactly an address, or for a place again. */
  function ask(exactly: boolean): void {
    onExact(exactly)
    type('')
    field.current?.focus()
  }

  /** Shows why something didn't work: without a network, it is nobody's fault. */
  function fail(error: ErrorReport): void {
    if (!navigator.onLine && withoutNetwork.includes(error.code)) setStep({ at: 'offline' })
    else setProblem(error)
  }

  async function add(
    name: string,
    run: () => Promise<CommandResult<'addInstance'>>,
  ): Promise<CommandResult<'addInstance'>> {
    setProblem(undefined)
    setAdding(name)
    onBusy?.(true)
    const added = await run()
    setAdding(undefined)
    if (added.ok) onAdded(added.value.instanceId)
    else onBusy?.(false)
    return added
  }

  async function addAddress(address: string, hosts: readonly string[] = []): Promise<void> {
    const added = await add(address, () => bridge.run('addInstance', { address }))
    if (added.ok) return
    if (hosts.length > 0 && nearby.includes(added.error.code)) await look(hosts)
    else fail(added.error)
  }

  async function addOrganization(id: string): Promise<void> {
    if (adding !== undefined) return
    const name = found.find((each) => each.id === id)?.name ?? ''
    const added = await add(name, () => bridge.run('addOrganization', { id }))
    if (!added.ok) fail(added.error)
  }

  async function look(hosts: readonly string[]): Promise<void> {
    round.current += 1
    const mine = round.current
    setProblem(undefined)
    setStep({ at: 'looking', hosts })
    const looked = await bridge.run('lookForPortals', { text })
    // The person has typed something else meanwhile.
    if (round.current !== mine) return
    const { found: addresses = [], problem: why } = looked.ok ? looked.value : { problem: looked.error }
    if (addresses.length > 0) setStep({ at: 'found', addresses, hosts })
    else if (why === undefined) setStep({ at: 'nothing', hosts })
    else {
      setStep({ at: 'results' })
      fail(why)
    }
  }

  /** Looks at the domain in the text, or says what else the person can type. */
  async function lookAtPlace(): Promise<void> {
    round.current += 1
    const mine = round.current
    const place = await bridge.run('readPlace', { text })
    // Typed over, or asked a second time.
    if (round.current !== mine) return
    if (!place.ok) setProblem(place.error)
    else if (place.value.kind === 'address') await addAddress(text, place.value.hosts)
    else if (place.value.kind === 'domain') await look(place.value.hosts)
    else setStep({ at: 'nothing', hosts: [] })
  }

  async function submit(): Promise<void> {
    if (adding !== undefined || step.at === 'looking' || text.trim() === '') return
    if (isAddress) await addAddress(text)
    // A match that the person hasn't seen yet is only shown.
    else if (isSearched && isPending) return
    else if (found.length > 0) await addOrganization(found[marked]?.id ?? '')
    else await lookAtPlace()
  }

  // One message at a time.
  const isAnswered = problem !== undefined || step.at === 'nothing' || step.at === 'offline'
  const hint = t(isAddress ? 'directory.exactHint' : 'directory.hint')
  const outcome = useOutcome(result)
  const said =
    adding !== undefined
      ? t('directory.adding', { name: adding })
      : step.at === 'looking'
        ? t('directory.looking', { hosts: step.hosts.join(', ') })
        : isAddress && !isExact && labelledBy !== undefined
          ? t('directory.exactHint')
          : step.at === 'results' && !isAnswered
            ? outcome
            : ''
  return (
    <div className={styles.form}>
      <form
        className={styles.question}
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
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
            'aria-controls': found.length > 0 ? listId : undefined,
            'aria-activedescendant': found.length > 0 ? optionId(listId, marked) : undefined,
          })}
          leftSection={<IconSearch size={18} aria-hidden />}
          value={text}
          maxLength={2048}
          autoCapitalize="off"
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          onChange={(event) => {
            type(event.currentTarget.value)
          }}
          onKeyDown={(event) => {
            const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
            if (step === undefined || found.length === 0 || event.nativeEvent.isComposing) return
            event.preventDefault()
            const next = (marked + step + found.length) % found.length
            setMarked(next)
            document.getElementById(optionId(listId, next))?.scrollIntoView({ block: 'nearest' })
          }}
        />
        <Button
          type="submit"
          variant={isAnswered || step.at === 'found' ? 'default' : 'filled'}
          disabled={text.trim() === ''}
          loading={adding !== undefined || step.at === 'looking'}
        >
          {t('directory.continue')}
        </Button>
      </form>
      <p aria-live="polite" className={page.quiet} hidden={said === ''}>
        {said}
      </p>
      {found.length > 0 && (
        <ul id={listId} role="listbox" aria-label={t('directory.list')} className={styles.found}>
          {found.map((each, index) => (
            <li
              key={each.id}
              id={optionId(listId, index)}
              role="option"
              aria-selected={index === marked}
              className={styles.organization}
              // The field keeps the focus.
              onMouseDown={(event) => {
                event.preventDefault()
              }}
              onClick={() => void addOrganization(each.id)}
            >
              <Organization {...each} />
            </li>
          ))}
        </ul>
      )}
      {step.at === 'found' && (
        <FoundPortal
          key={step.addresses[0]}
          address={step.addresses[0] ?? ''}
          isAdding={adding !== undefined}
          onYes={(address) => void addAddress(address)}
          onNo={() => {
            const addresses = step.addresses.slice(1)
            setStep(addresses.length > 0 ? { ...step, addresses } : { at: 'nothing', hosts: step.hosts })
          }}
        />
      )}
      {step.at === 'nothing' && (
        <p role="alert">
          {step.hosts.length > 0
            ? t('directory.nowhere', { hosts: step.hosts.join(', ') })
            : t(organizationSearch.available ? 'directory.none' : 'directory.noList')}
        </p>
      )}
      {(step.at === 'nothing' || step.at === 'help') && (
        <AskHelpDesk hosts={step.at === 'nothing' ? step.hosts : []} />
      )}
      {step.at === 'offline' && (
        <div className={styles.answer}>
          <div role="alert">
            <p className={styles.offline}>{t('directory.offline.title')}</p>
            <p>{t('directory.offline.text')}</p>
          </div>
          <div>
            <Button variant="default" loading={adding !== undefined} onClick={() => void submit()}>
              {t('instance.retry')}
            </Button>
          </div>
        </div>
      )}
      <Unreadable count={result?.unreadable ?? 0} />
      {!isAnswered && isSearched && answer?.ok === false && <ErrorNote error={answer.error} />}
      {!isAnswered && result?.problem !== undefined && !dismissed && (
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
      {problem && <ErrorNote error={problem} />}
      <div className={styles.otherWays}>
        {found.length > 0 && /[.@]/.test(text) && (
          <OtherWay text={t('directory.atDomain')} onClick={() => void lookAtPlace()} />
        )}
        <OtherWay
          text={t(isExact ? 'instance.back' : 'directory.exact')}
          onClick={() => {
            ask(!isExact)
          }}
        />
        {(step.at === 'results' || step.at === 'found' || step.at === 'looking') && (
          <OtherWay
            text={t('directory.help.ask')}
            onClick={() => {
              setStep({ at: 'help' })
            }}
          />
        )}
        {onCancel && <OtherWay text={t('instance.notNow')} onClick={onCancel} />}
      </div>
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

function optionId(listId: string, index: number): string {
  return `${listId}-${index}`
}

/** Returns how many organizations match. */
function useOutcome(
  result: { readonly found: readonly unknown[]; readonly total: number } | undefined,
): string {
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
  const Kind = type === 'secure_internet' ? IconWorld : IconBuilding
  return (
    <>
      <Kind size={20} stroke={1.75} aria-hidden />
      <span className={styles.organizationText}>
        <bdi>{name}</bdi>
        <span className={styles.kind}>
          {type === 'secure_internet' ? t('directory.secure', { name }) : t('directory.institute')}
          {host !== undefined && (
            <>
              {' · '}
              <bdi dir="ltr">{host}</bdi>
            </>
          )}
        </span>
      </span>
      <span aria-hidden className={styles.go}>
        {t('directory.continue')}
        <IconCornerDownLeft size={16} />
      </span>
    </>
  )
}

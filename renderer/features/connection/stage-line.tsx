import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { BrowserWait } from '../../../contract/browser-wait'
import type { ConnectionDescription } from '../../../contract/describe-connection'
import type { ErrorReport } from '../../../contract/error-codes'
import { useAppState } from '../../store/context'
import { useTimeAt } from '../../store/use-time-at'
import { useErrorTexts } from '../../ui/use-error-text'
import { formatDuration } from './duration'
import { Duration } from './duration-since'
import { rateText, widestRates } from './rate-text'
import styles from './stage.module.css'
import type { Access } from './use-access'
import { useHeldBy } from './use-held-by'
import { currentRate, useTraffic } from './use-traffic'

/**
 * The line below the drawing: figures while connected as promised, else a sentence, which always has the room that it needs. What
 * follows it is left out where there is no room for the whole of it; the details have it.
 */
export function StageLine({
  description: { tone, sentences, values },
  access,
  error,
  sentence,
  signIn,
  notice,
}: {
  readonly description: ConnectionDescription
  readonly access: Access
  readonly error: ErrorReport | undefined
  /** What is never cut off: of the error, or of the description. */
  readonly sentence: string
  readonly signIn: BrowserWait | undefined
  /** Something that has just been done. */
  readonly notice: string | undefined
}): ReactNode {
  const { t } = useTranslation()
  const { connection } = useAppState()
  const errorTexts = useErrorTexts()
  const held = useHeldBy()
  const prefix = notice === undefined ? '' : `${notice} · `
  if (error !== undefined) {
    const { what, todo } = errorTexts(error)
    return (
      <Blocks
        tone="failed"
        first={`${prefix}${sentence}`}
        others={[todo]}
        title={`${what} ${todo} (${error.code})`}
      />
    )
  }
  if (signIn !== undefined) {
    const first = (
      <>
        {prefix}
        {sentence} {/* Beside a sentence about blocked traffic, it would be read as the time of the block. */}
        {signIn.until !== undefined && tone !== 'blocked' && <TimeLeft until={signIn.until} />}
      </>
    )
    return <Blocks tone="yourTurn" first={first} others={[]} />
  }
  const shownTone = access.stage === 'far' ? tone : 'limited'
  if (connection.state === 'connected' && tone === 'on') {
    const figures = (
      <span className={styles.figures}>
        <Duration since={connection.since} />
        <Rates />
        {access.text !== undefined && <span>{access.text}</span>}
      </span>
    )
    return <Blocks tone={shownTone} first={figures} others={[held]} />
  }
  return (
    <Blocks
      tone={shownTone}
      first={`${prefix}${sentence}`}
      others={[
        ...sentences.filter(isReason).map((key) => t(key, values)),
        held,
        tone === 'off' || tone === 'limited' ? access.text : undefined,
      ]}
    />
  )
}

const second = 1000

function TimeLeft({ until }: { readonly until: number }): ReactNode {
  const { t } = useTranslation()
  const now = useTimeAt((time) =>
    time < until ? until - (Math.ceil((until - time) / second) - 1) * second : undefined,
  )
  return <span className={styles.spare}>{t('instance.timeLeft', { time: formatDuration(until - now) })}</span>
}

/** The headlines that say the same as a sentence. */
const headlineOf: Readonly<Partial<Record<string, ConnectionDescription['headline']>>> = {
  'connection.sentence.connected': 'connection.word.connected',
  'connection.sentence.networkWantsSignIn': 'connection.word.networkSignIn',
}

/** Returns the sentences of a state without those that may be left out: why the connection was lost, and what the headline says. */
export function leadOf({ sentences, headline, values }: ConnectionDescription, t: TFunction): string {
  return sentences
    .filter((key) => !isReason(key) && headlineOf[key] !== headline)
    .map((key) => t(key, values))
    .join(' ')
}

function isReason(key: string): boolean {
  return key.startsWith('connection.reason.')
}

function Blocks({
  tone,
  first,
  others,
  title,
}: {
  readonly tone: ConnectionDescription['tone'] | 'yourTurn'
  readonly first: ReactNode
  readonly others: readonly (string | undefined)[]
  readonly title?: string
}): ReactNode {
  return (
    <div className={styles.line} data-tone={tone} title={title}>
      <p>{first}</p>
      {others.map(
        (text, index) =>
          text && (
            <p key={index} data-spare className={styles.spare}>
              {text}
            </p>
          ),
      )}
    </div>
  )
}

/** The download and upload of this second; nothing before they are counted. */
function Rates(): ReactNode {
  const { t, i18n } = useTranslation()
  const traffic = useTraffic()
  if (traffic === undefined || traffic.points.length === 0) return null
  const rate = currentRate(traffic)
  return (['down', 'up'] as const).map((line) => {
    const text = rate === undefined ? '–' : rateText(rate[line], i18n.language)
    return (
      <span key={line}>
        <span aria-hidden>{line === 'down' ? '↓ ' : '↑ '}</span>
        <span
          aria-label={`${t(`connection.traffic.${line}`)}: ${text}`}
          role="img"
          className={styles.rate}
          data-widest={widestRates(i18n.language)}
        >
          {text}
        </span>
      </span>
    )
  })
}

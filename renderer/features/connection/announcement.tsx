import { useEffect, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ConnectionDescription } from '../../../contract/describe-connection'

/** How long a phase lasts, in milliseconds, before a screen reader tells of it. */
const announcedAfterMs = 2000

/** What a screen reader says: the outcome at once, a phase only after two seconds in it. */
export function Announcement({
  description: { word, headline, sentences, values },
  error,
}: {
  readonly description: ConnectionDescription
  readonly error: string | undefined
}): ReactNode {
  const { t } = useTranslation()
  const text = [error, ...sentences.map((key) => t(key, values))].filter(Boolean).join(' ')
  const isOpening = sentences.includes('connection.sentence.openingBrowser')
  const isPassing =
    // Unless there is something to do.
    (word === 'connecting' && headline === 'connection.word.connecting') ||
    word === 'switching' ||
    word === 'disconnecting' ||
    // A new start that was asked for goes through the phases of a connection; a lost one says what happens meanwhile.
    (word === 'reconnecting' && sentences.length === 1) ||
    sentences.includes('connection.truth.checking') ||
    isOpening
  const [settled, setSettled] = useState(isOpening ? '' : text)
  useEffect(() => {
    const timer = setTimeout(
      () => {
        setSettled(text)
      },
      isPassing ? announcedAfterMs : 0,
    )
    return () => {
      clearTimeout(timer)
    }
  }, [text, isPassing])
  const said = isPassing && settled !== text ? '' : text
  const to = word === 'switching' ? t('connection.sentence.switching', values) : undefined
  const lead = to ?? `${t(`connection.word.${word}`)}.`
  const whole = word === 'connected' && said !== '' ? said : `${lead} ${said === to ? '' : said}`.trim()
  const isPending = isPassing && said === ''
  // What to do in the browser, and what a tunnel carries, is said once, when it's known; and that it's disconnected, when it is.
  // A quick failure follows "Connecting" so soon that a screen reader, which reads the region once for each change, says it twice.
  const isUnsaid = isOpening || ['connecting', 'connected', 'disconnecting'].includes(word)
  const next = isPending && isUnsaid ? '' : whole
  const [last, setLast] = useState({ word, text: next })
  // A screen reader that comes late to a change reads the whole region, once for each change.
  const isKept = isPending && !isOpening && word === last.word
  if (!isKept && (next !== last.text || word !== last.word)) setLast({ word, text: next })
  const news = isKept ? last.text : next
  if (news !== '') return news
  // Not said, but there for who looks for it. A phase is too short for that.
  const there = { connected: text, connecting: lead }[word as string] ?? `${lead} ${text}`
  return <span aria-live="off">{there}</span>
}

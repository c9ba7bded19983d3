import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCommand } from '../../store/context'
import styles from './connection.module.css'

const confirmationMs = 3000

/** Short text that is copied by a click, which is announced to screen readers. */
export function Copyable({ text }: { readonly text: string }): ReactNode {
  const { t } = useTranslation()
  const copy = useCommand('copyText')
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return undefined
    const timer = setTimeout(() => {
      setCopied(false)
    }, confirmationMs)
    return () => {
      clearTimeout(timer)
    }
  }, [copied])
  return (
    <>
      <button
        type="button"
        className={styles.copyable}
        aria-label={t('connection.copy', { text })}
        onClick={() => {
          void copy.run({ text }).then(({ ok }) => {
            setCopied(ok)
          })
        }}
      >
        <bdi>{text}</bdi>
        {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
      </button>
      <span aria-live="polite">
        {copied && <span className={styles.copied}>{t('connection.copied')}</span>}
      </span>
    </>
  )
}

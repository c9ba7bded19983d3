import { basename } from 'node:path'
import type { Transfer } from '../../services/attachments/transfer'
import { t } from '../language'
import { terminalLine } from '../../../contract/safe-text'
import { cells } from '../screen'

/** The stream for progress: standard error. */
interface ProgressOutput {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

const minWidth = 40

/** Shows the progress of a transfer: on a terminal in one changing line, elsewhere in one line per step. */
export class AttachmentProgress {
  readonly #output: ProgressOutput
  #lastStep = ''
  #hasLine = false

  constructor(output: ProgressOutput) {
    this.#output = output
  }

  show(transfer: Transfer): void {
    const step = stepOf(transfer)
    if (step !== undefined && step !== this.#lastStep) {
      this.#lastStep = step
      this.clear()
      this.#output.write(`${step}\n`)
    }
    if (this.#output.isTTY !== true || transfer.state !== 'transferring') return
    const width = Math.max(minWidth, (this.#output.columns ?? 80) - 1)
    this.#output.write(`\r\u001b[K${progressLine(transfer, width)}`)
    this.#hasLine = true
  }

  /** Removes the changing line. */
  clear(): void {
    if (this.#hasLine) this.#output.write('\r\u001b[K')
    this.#hasLine = false
  }
}

function stepOf(transfer: Transfer): string | undefined {
  const file = terminalLine(basename(transfer.path))
  switch (transfer.state) {
    case 'transferring': {
      const { totalBytes } = transfer.progress
      const size = totalBytes === undefined ? '' : ` (${inUnits(totalBytes)})`
      return `${transfer.kind === 'download' ? t('terminal.attachment.downloading', { file }) : t('terminal.attachment.uploading', { file })}${size}`
    }
    case 'waiting':
      return t('terminal.attachment.retrying', { attempt: transfer.attempt + 1 })
    case 'confirming':
      return t('terminal.attachment.confirming')
    case 'queued':
    case 'preparing':
    case 'done':
    case 'unconfirmed':
    case 'cancelled':
    case 'failed':
      return undefined
  }
}

/** Returns for example ` 42 % [####      ]  4.2 of 10.0 MB  1.3 MB/s  0:05 left`, at most `width` characters. */
export function progressLine({ progress }: Pick<Transfer, 'progress'>, width: number): string {
  const { bytes, totalBytes, bytesPerSecond, secondsLeft } = progress
  const speed = bytesPerSecond === undefined ? '' : `  ${inUnits(bytesPerSecond)}/s`
  const timeLeft =
    secondsLeft === undefined ? '' : `  ${t('terminal.attachment.left', { time: duration(secondsLeft) })}`
  if (totalBytes === undefined) return `${inUnits(bytes)}${speed}`.slice(0, width)
  const part = totalBytes === 0 ? 1 : bytes / totalBytes
  const percent = `${String(Math.floor(100 * part)).padStart(3)} %`
  const words = `  ${t('terminal.attachment.part', { done: inUnits(bytes), total: inUnits(totalBytes) })}${speed}${timeLeft}`
  const room = Math.min(30, width - percent.length - cells(words) - 3)
  const bar = room < 5 ? '' : ` [${'#'.repeat(Math.floor(room * part)).padEnd(room)}]`
  return `${percent}${bar}${words}`.slice(0, width)
}

/** Returns bytes with a unit, such as `3.4 MB`. */
export function inUnits(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  const units = ['kB', 'MB', 'GB', 'TB']
  let value = bytes / 1000
  let unit = 0
  while (value >= 999.95 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  return `${value.toFixed(1)} ${units[unit] ?? ''}`
}

function duration(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const [hours = 0, minutes = 0, rest = 0] = parts
  const two = (value: number) => String(value).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

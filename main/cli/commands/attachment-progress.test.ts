import { expect, it } from 'vitest'
import type { Transfer } from '../../services/attachments/transfer'
import { AttachmentProgress, progressLine } from './attachment-progress'

const transfer: Transfer = {
  id: 't',
  instanceId: 'i',
  kind: 'upload',
  title: 'x',
  path: '/x/a\u001b[2J.bin',
  state: 'transferring',
  progress: { bytes: 4_200_000, totalBytes: 10_000_000, bytesPerSecond: 1_300_000, secondsLeft: 65 },
}

it('shows amount, speed and time left within the given width', () => {
  expect(progressLine(transfer, 79)).toBe(
    ' 42 % [############                  ]  4.2 MB of 10.0 MB  1.3 MB/s  1:05 left',
  )
  expect(progressLine(transfer, 60)).toBe(' 42 % [#####       ]  4.2 MB of 10.0 MB  1.3 MB/s  1:05 left')
  expect(progressLine(transfer, 40)).toBe(' 42 %  4.2 MB of 10.0 MB  1.3 MB/s  1:05')
  expect(progressLine({ progress: { bytes: 999 } }, 40)).toBe('999 B')
  expect(progressLine({ progress: { bytes: 0, totalBytes: 0 } }, 40)).toContain('100 %')
})

function outputFor(isTTY: boolean): string {
  let written = ''
  const output = { isTTY, columns: 80, write: (text: string) => (written += text) }
  const progress = new AttachmentProgress(output)
  progress.show({ ...transfer, state: 'preparing' })
  progress.show(transfer)
  progress.show(transfer)
  progress.show({ ...transfer, state: 'waiting', attempt: 1, retryAt: 0 })
  progress.clear()
  return written
}

it('shows one changing line on a terminal, and separate lines elsewhere', () => {
  const uploading = 'Uploading a[2J.bin (10.0 MB)\n'
  const waiting = 'The connection was lost. Retrying (attempt 2)\n'
  expect(outputFor(false)).toBe(`${uploading}${waiting}`)
  const line = progressLine(transfer, 79)
  expect(outputFor(true).split('\r\u001b[K')).toEqual([uploading, line, line, waiting])
})

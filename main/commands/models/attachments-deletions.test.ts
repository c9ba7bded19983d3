import { describe, expect, it, vi } from 'vitest'
import { CausewayError } from '../../errors'
import { AttachmentsDeletions, undoMs } from './attachments-deletions'

const slides = { instanceId: 'vpn.example.org', attachmentId: '1', title: 'Slides' }
const notes = { ...slides, attachmentId: '2', title: 'Notes' }

/** Creates deletions with a manual clock and a service that answers with `answer`. */
function make(answer: () => Promise<void> = () => Promise.resolve()) {
  const removed: string[] = []
  const timers = new Map<number, () => void>()
  let made = 0
  const onChange = vi.fn()
  const deletions = new AttachmentsDeletions({
    remove: (_instanceId, attachmentId) => {
      removed.push(attachmentId)
      return answer()
    },
    after: (milliseconds, then) => {
      expect(milliseconds).toBe(undoMs)
      const timer = (made += 1)
      timers.set(timer, then)
      return () => timers.delete(timer)
    },
    onChange,
  })
  const timeIsOver = (): void => {
    const due = [...timers.values()]
    timers.clear()
    for (const then of due) then()
  }
  return { deletions, removed, timeIsOver, onChange }
}

describe('a deletion', () => {
  it('is sent only after the delay', async () => {
    const { deletions, removed, timeIsOver } = make()
    deletions.delete(slides)
    expect(deletions.all()).toEqual([{ ...slides, state: 'waiting' }])
    expect(removed).toEqual([])
    timeIsOver()
    expect(deletions.all()).toEqual([{ ...slides, state: 'sending' }])
    await deletions.flush()
    expect(removed).toEqual(['1'])
    expect(deletions.all()).toEqual([])
  })

  it('is never sent after an undo', async () => {
    const { deletions, removed, timeIsOver } = make()
    deletions.delete(slides)
    deletions.undo(slides)
    timeIsOver()
    await deletions.flush()
    expect(removed).toEqual([])
    expect(deletions.all()).toEqual([])
  })

  it('is sent once even if requested twice', async () => {
    const { deletions, removed, timeIsOver } = make()
    deletions.delete(slides)
    deletions.delete(slides)
    timeIsOver()
    deletions.delete(slides)
    await deletions.flush()
    expect(removed).toEqual(['1'])
  })

  it('is sent at once on flush, with all other waiting ones', async () => {
    const { deletions, removed, timeIsOver } = make()
    deletions.delete(slides)
    deletions.delete(notes)
    await deletions.flush()
    timeIsOver()
    expect(removed).toEqual(['1', '2'])
  })

  it('stays as failed after a refusal until dismissed, and can be requested again', async () => {
    const refusal = new CausewayError('attachments/forbidden', { details: { host: 'vpn.example.org' } })
    const { deletions, removed } = make(() => Promise.reject(refusal))
    deletions.delete(slides)
    await deletions.flush()
    expect(deletions.all()).toMatchObject([{ state: 'failed', error: { code: 'attachments/forbidden' } }])
    deletions.delete(slides)
    expect(deletions.all()).toEqual([{ ...slides, state: 'waiting' }])
    await deletions.flush()
    expect(removed).toEqual(['1', '1'])
    deletions.undo(slides)
    expect(deletions.all()).toEqual([])
  })

  it('succeeds if someone else has deleted the attachment', async () => {
    const { deletions } = make(() => Promise.reject(new CausewayError('attachments/not-found')))
    deletions.delete(slides)
    await deletions.flush()
    expect(deletions.all()).toEqual([])
  })
})

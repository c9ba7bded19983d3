import { describe, expect, it, vi } from 'vitest'
import { CausewayError } from '../errors'
import { AttachmentsDeletions, undoMs } from './attachments-deletions'

const slides = { instanceId: 'vpn.example.org', attachmentId: '1', title: 'Slides' }
const notes = { ...slides, attachmentId: '2', title: 'Notes' }

/** Deletions with a clock that is moved by hand, and a service that answers with `answer`. */
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
  it('is sent once its time is over, and not before', async () => {
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

  it('that is undone is never sent', async () => {
    const { deletions, removed, timeIsOver } = make()
    deletions.delete(slides)
    deletions.undo(slides)
    timeIsOver()
    await deletions.flush()
    expect(removed).toEqual([])
    expect(deletions.all()).toEqual([])
  })

  it('that is asked for twice is sent once', async () => {
    const { deletions, removed, timeIsOver } = make()
    deletions.delete(slides)
    deletions.delete(slides)
    timeIsOver()
    deletions.delete(slides)
    await deletions.flush()
    expect(removed).toEqual(['1'])
  })

  it('is sent at once when the window is closed, with all others that wait', async () => {
    const { deletions, removed, timeIsOver } = make()
    deletions.delete(slides)
    deletions.delete(notes)
    await deletions.flush()
    timeIsOver()
    expect(removed).toEqual(['1', '2'])
  })

  it('that is refused says so until it is taken away, and can be asked for again', async () => {
    const refusal = new CausewayError('attachments/forbidden', 'Not yours.')
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

  it('of what somebody else has deleted already is done', async () => {
    const { deletions } = make(() => Promise.reject(new CausewayError('attachments/not-found', 'Gone.')))
    deletions.delete(slides)
    await deletions.flush()
    expect(deletions.all()).toEqual([])
  })
})

import { fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { AttachmentItem, TransferItem } from '../../../contract/attachments'
import type { CommandName } from '../../../contract/commands'
import type { AppState } from '../../../contract/state'
import { openWindow, signedIn, type Opened, visit } from '../../fake-bridge.testing'
import { settled } from '../../hooks.testing'

const file: AttachmentItem = {
  id: 'f1',
  userId: 'ann',
  title: 'Lab notes <b>bold</b>',
  description: 'Goes with the first lesson.',
  type: 'INTERNAL',
  status: 'COMPLETED',
  extension: 'pdf',
  videos: ['v1'],
  modules: [],
}
const link: AttachmentItem = {
  ...file,
  id: 'l1',
  title: 'Source code',
  type: 'EXTERNAL',
  extension: undefined,
  address: 'https://example.org/code',
}
const error = { code: 'http/unreachable', message: '' } as const

type Answers = Partial<Record<CommandName, unknown>>

/** Opens the attachments with these answers from main. */
async function openAttachments(answers: Answers = {}, state: Partial<AppState> = {}): Promise<Opened> {
  const known: Answers = {
    attachmentsIdentity: {},
    listAttachments: { data: [file, link], totalCount: 2, unreadable: 0 },
    listAttachmentsOfVideo: { data: [file], totalCount: 1, unreadable: 0 },
    showAttachment: error,
    attachmentFile: {},
  }
  const opened = await openWindow({ instances: [signedIn], ...state }, (name) => {
    // They may have changed.
    const value = answers[name] ?? known[name]
    return value === error ? { ok: false, error } : { ok: true, value }
  })
  await visit(opened.user, 'Attachments')
  return opened
}

/** Chooses one of the suggestions of a field. */
async function choose({ user }: Opened, field: string, suggestion: string): Promise<void> {
  await user.click(screen.getByRole('combobox', { name: field }))
  await user.click(await screen.findByRole('option', { name: suggestion }))
}

function lastInput({ ran }: Opened, name: CommandName): unknown {
  return ran.findLast((command) => command.name === name)?.input
}

const all = { instanceId: signedIn.id, page: 1, pageSize: 100 }

describe('the list', () => {
  it('shows titles as text, never as markup, and fetches only what is visible', async () => {
    const { ran } = await openAttachments({
      listAttachments: { data: [file, link], totalCount: 10_000, unreadable: 98 },
    })
    expect(await screen.findByRole('button', { name: /Lab notes <b>bold<\/b>.*File \(pdf\)/ })).toBeTruthy()
    expect(screen.getByRole('button', { name: /Source code.*Link/ })).toBeTruthy()
    expect(screen.getByText("10,000 attachments · Attachments that couldn't be read: 98")).toBeTruthy()
    expect(screen.getAllByRole('listitem').length).toBeLessThan(50)
    expect(ran.filter(({ name }) => name === 'listAttachments').map(({ input }) => input)).toEqual([
      { ...all, filter: { userId: '', videos: [], modules: [] } },
    ])
  })

  it('filters by author, videos and modules', async () => {
    const opened = await openAttachments({
      listAttachments: { data: [file, { ...link, videos: ['v2'] }], totalCount: 2, unreadable: 0 },
    })
    const { user } = opened
    await user.click(await screen.findByRole('button', { name: 'Filter' }))
    await user.selectOptions(screen.getByRole('combobox', { name: 'Author' }), 'ann')
    await choose(opened, 'Videos', 'v1')
    await choose(opened, 'Videos', 'v2')
    await user.type(screen.getByRole('combobox', { name: 'Modules' }), 'not, seen{Enter}')
    expect(lastInput(opened, 'listAttachments')).toEqual({
      ...all,
      filter: { userId: 'ann', videos: ['v1', 'v2'], modules: ['not, seen'] },
    })
    await user.click(screen.getByRole('button', { name: 'Remove v1' }))
    expect(lastInput(opened, 'listAttachments')).toMatchObject({ filter: { videos: ['v2'] } })
  })

  it('keeps its filter and scroll position while the user visits another view', async () => {
    const { user, ran } = await openAttachments()
    await user.click(await screen.findByRole('button', { name: /Source code/ }))
    const asked = ran.length
    await visit(user, 'Settings')
    await visit(user, 'Attachments')
    expect(await screen.findByText('https://example.org/code')).toBeTruthy()
    expect(ran.slice(asked).map(({ name }) => name)).not.toContain('listAttachments')
  })

  it("shows why it couldn't be fetched, and retries when asked", async () => {
    const { user, ran } = await openAttachments({ listAttachments: error })
    expect((await screen.findByRole('alert')).textContent).toContain("The server couldn't be reached.")
    const before = ran.length
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(ran.slice(before).map(({ name }) => name)).toEqual(['listAttachments'])
  })

  it.each([
    ['the same day', new Date(2026, 10, 20, 20, 15), /^Last updated 2:08\sPM\.$/],
    ['the next day', new Date(2026, 10, 21, 0, 15), /^Last updated Nov 20, 2026, 2:08\sPM\.$/],
  ])("shows its age when the service can't be reached, on %s", async (_, now, age) => {
    vi.useFakeTimers({ now, toFake: ['Date'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const cachedAt = new Date(2026, 10, 20, 14, 8).getTime()
    const host = 'files.example.org'
    await openAttachments({ listAttachments: { data: [file], totalCount: 1, unreadable: 0, cachedAt, host } })
    const [, shown] =
      /^files\.example\.org can't be reached\. (.*)$/.exec(
        (await screen.findByText(/can't be reached/)).textContent,
      ) ?? []
    expect(shown).toMatch(age)
  })

  it('moves between rows by keyboard, and opens and closes an attachment', async () => {
    const { user } = await openAttachments()
    const first = await screen.findByRole('button', { name: /Lab notes/ })
    first.focus()
    await user.keyboard('{ArrowDown}')
    expect(document.activeElement?.textContent).toContain('Source code')
    await user.keyboard('{Enter}')
    const details = await screen.findByRole('region', { name: 'Details' })
    expect(within(details).getByRole('heading', { name: 'Source code' })).toBeTruthy()
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('region', { name: 'Details' })).toBeNull()
  })
})

describe('the choice "Mine"', () => {
  const ofAnn = { userId: 'ann', videos: [], modules: [] }
  const mine = () => screen.findByRole<HTMLInputElement>('radio', { name: 'Mine' })

  it('asks for the own attachments, without calling that a filter', async () => {
    const opened = await openAttachments({ attachmentsIdentity: { userId: 'ann' } })
    const { user } = opened
    await user.click(await mine())
    expect(lastInput(opened, 'listAttachments')).toEqual({ ...all, filter: ofAnn })
    expect((await mine()).checked).toBe(true)
    await user.click(screen.getByRole('button', { name: 'Filter' }))
    expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Author' }).value).toBe('ann')
    await choose(opened, 'Videos', 'v1')
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'All' }).checked).toBe(true)
    expect(screen.getByRole('button', { name: 'Filter (on)' })).toBeTruthy()
    await user.click(await mine())
    await user.click(screen.getByRole('radio', { name: 'All' }))
    expect(lastInput(opened, 'listAttachments')).toEqual({
      ...all,
      filter: { userId: '', videos: [], modules: [] },
    })
  })

  it('is shown when another link asks the same', async () => {
    const { user } = await openAttachments({ attachmentsIdentity: { userId: 'ann' } })
    await screen.findByRole('button', { name: /Lab notes/ })
    await user.click(screen.getByRole('radio', { name: 'For a video' }))
    await user.click(await screen.findByRole('button', { name: /Lab notes/ }))
    await user.click(screen.getByRole('button', { name: 'ann' }))
    expect((await mine()).checked).toBe(true)
  })

  it('says that there are none', async () => {
    const listAttachments = { data: [], totalCount: 0, unreadable: 0 }
    const { user } = await openAttachments({ attachmentsIdentity: { userId: 'ann' }, listAttachments })
    await user.click(await mine())
    expect(await screen.findByText("You haven't added any attachments yet.")).toBeTruthy()
  })

  it.each([{}, { userId: 'ann', roles: ['MEMBER'] }])('is not offered to %j', async (attachmentsIdentity) => {
    await openAttachments({ attachmentsIdentity })
    await screen.findByRole('heading', { name: 'Attachments' })
    expect(screen.queryByRole('radio', { name: 'Mine' })).toBeNull()
  })
})

describe('the size and the date of a file', () => {
  const changedAt = new Date(2026, 10, 20, 14, 8).getTime()
  const known: Answers = {
    showAttachment: { data: file },
    attachmentFile: { bytes: 1_234_567, changedAt },
  }
  const facts = () =>
    screen.getAllByRole('term').map((term) => `${term.textContent}: ${term.nextElementSibling?.textContent}`)
  const asked = ({ ran }: Opened) => ran.filter(({ name }) => name === 'attachmentFile')
  const replacement: TransferItem = {
    id: 't1',
    instanceId: signedIn.id,
    kind: 'replacement',
    attachmentId: 'f1',
    title: 'Lab notes',
    state: 'transferring',
    bytes: 0,
  }

  async function openFile(answers: Answers = known, state: Partial<AppState> = {}): Promise<Opened> {
    const opened = await openAttachments(answers, state)
    await opened.user.click(await screen.findByRole('button', { name: /Lab notes/ }))
    await screen.findByRole('region', { name: 'Details' })
    return opened
  }

  it('come after the other facts, from one request', async () => {
    const opened = await openFile()
    expect(await screen.findByText('1.2 MB')).toBeTruthy()
    expect(facts().slice(-3)).toEqual([
      'ID: f1',
      'Size: 1.2 MB',
      expect.stringMatching(/^Modified: November 20, 2026 at 2:08\sPM$/),
    ])
    await opened.user.click(screen.getByRole('button', { name: 'Edit' }))
    await opened.user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(screen.getByText('1.2 MB')).toBeTruthy()
    expect(asked(opened).map(({ input }) => input)).toEqual([{ instanceId: signedIn.id, attachmentId: 'f1' }])
  })

  it('are asked for again when the file was replaced, and not when the transfer is dismissed', async () => {
    const opened = await openFile(known, { transfers: [replacement] })
    await screen.findByText('1.2 MB')
    opened.change({ transfers: [{ ...replacement, id: 't2', attachmentId: 'other', state: 'done' }] })
    expect(asked(opened)).toHaveLength(1)
    opened.change({ transfers: [{ ...replacement, state: 'done' }] })
    await vi.waitFor(() => {
      expect(asked(opened)).toHaveLength(2)
    })
    opened.change({ transfers: [] })
    expect(await screen.findByText('1.2 MB')).toBeTruthy()
    expect(asked(opened)).toHaveLength(2)
  })

  it.each<[why: string, answers: Answers]>([
    ['the storage does not tell them', { ...known, attachmentFile: {} }],
    ['they could not be asked for', { ...known, attachmentFile: error }],
  ])('are left out without an error if %s', async (_, answers) => {
    const opened = await openFile(answers)
    await vi.waitFor(() => {
      expect(asked(opened)).toHaveLength(1)
    })
    expect(facts().at(-1)).toBe('ID: f1')
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it.each<[why: string, shown: unknown]>([
    ['the service cannot be reached', { data: file, cachedAt: changedAt }],
    ['the file is not uploaded yet', { data: { ...file, status: 'IN_PROGRESS' } }],
    ['it is a link', { data: { ...link, id: 'f1' } }],
    ['the service refuses to show it', error],
  ])('are not asked for if %s', async (_, showAttachment) => {
    const opened = await openFile({ ...known, showAttachment })
    expect(asked(opened)).toEqual([])
  })
})

it('fills only the button of the next step', async () => {
  const { user } = await openAttachments()
  const filled = () =>
    [...document.querySelectorAll<HTMLElement>('main .mantine-Button-root')]
      .filter(({ dataset: { variant = 'filled' } }) => variant === 'filled')
      .map((button) => button.textContent)
  await user.click(await screen.findByRole('button', { name: 'Filter' }))
  expect(filled()).toEqual(['Upload files'])
  await screen.findByRole('button', { name: /Lab notes/ })
  await user.click(screen.getByRole('radio', { name: 'For a video' }))
  expect(filled()).toEqual(['Upload files'])
  await user.click(await screen.findByRole('button', { name: /Lab notes/ }))
  expect(filled()).toEqual(['Download'])
})

describe('role restrictions', () => {
  it('limit a member to the attachments of one video at a time', async () => {
    const opened = await openAttachments({ attachmentsIdentity: { userId: 'ann', roles: ['MEMBER'] } })
    const { user, ran } = opened
    expect(await screen.findByText('Choose a video to see its attachments.')).toBeTruthy()
    await user.type(screen.getByRole('combobox', { name: 'Video' }), 'v1{Enter}')
    expect(lastInput(opened, 'listAttachmentsOfVideo')).toEqual({ instanceId: signedIn.id, videoId: 'v1' })
    expect(ran.map(({ name }) => name)).not.toContain('listAttachments')
    expect(screen.queryByRole('button', { name: 'Upload files' })).toBeNull()
    await user.click(await screen.findByRole('button', { name: /Lab notes/ }))
    expect(screen.getByRole('button', { name: 'Download' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull()
  })
})

describe('the attachments of a video', () => {
  it('say that the service returns only some of them, and link to all', async () => {
    const answer = { data: [file], totalCount: 30, unreadable: 1 }
    const opened = await openAttachments({ listAttachmentsOfVideo: answer })
    const { user } = opened
    await screen.findByRole('button', { name: /Lab notes/ })
    await user.click(screen.getByRole('radio', { name: 'For a video' }))
    expect(await screen.findByText("The service lists 2 of this video's 30 attachments.")).toBeTruthy()
    expect(screen.getByText("2 attachments · Attachments that couldn't be read: 1")).toBeTruthy()
    expect(screen.getByText("This attachment couldn't be read")).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Show all' }))
    expect(lastInput(opened, 'listAttachments')).toEqual({
      ...all,
      filter: { userId: '', videos: ['v1'], modules: [] },
    })
  })
})

describe('a change', () => {
  it('sends the title and whatever else was edited', async () => {
    const opened = await openAttachments()
    const { user } = opened
    await user.click(await screen.findByRole('button', { name: /Source code/ }))
    await user.click(screen.getByRole('button', { name: 'Edit' }))
    await user.type(screen.getByRole('combobox', { name: 'Modules' }), 'm1{Enter}')
    // Taken as well when the person goes on without Enter.
    await user.type(screen.getByRole('combobox', { name: 'Modules' }), ' m2 ')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(lastInput(opened, 'editAttachment')).toEqual({
      instanceId: signedIn.id,
      attachmentId: 'l1',
      type: 'EXTERNAL',
      title: 'Source code',
      address: 'https://example.org/code',
      modules: ['m1', 'm2'],
    })
  })

  it('leaves alone what somebody else has changed since the form was opened', async () => {
    const answers: Answers = {}
    const opened = await openAttachments(answers)
    const { user } = opened
    await user.click(await screen.findByRole('button', { name: /Source code/ }))
    await user.click(screen.getByRole('button', { name: 'Edit' }))
    const data = {
      ...link,
      title: 'Their title',
      description: 'Their words.',
      address: 'https://example.org/theirs',
      videos: ['v1', 'v2'],
    }
    answers.listAttachments = { data: [file, data], totalCount: 2, unreadable: 0 }
    answers.showAttachment = { data }
    await user.click(screen.getByRole('button', { name: 'Refresh' }))
    await screen.findByRole('button', { name: /Their title/ })
    expect(screen.getByRole('textbox', { name: /Title/ })).toHaveProperty('value', 'Source code')
    await user.type(screen.getByRole('combobox', { name: 'Modules' }), 'm1{Enter}')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(lastInput(opened, 'editAttachment')).toEqual({
      instanceId: signedIn.id,
      attachmentId: 'l1',
      type: 'EXTERNAL',
      title: 'Their title',
      address: 'https://example.org/theirs',
      modules: ['m1'],
    })
  })

  it('shows a pending deletion in the list until it is sent', async () => {
    const deletion = {
      instanceId: signedIn.id,
      attachmentId: 'f1',
      title: 'Lab notes',
      state: 'waiting',
    } as const
    const opened = await openAttachments({}, { deletions: [deletion] })
    expect(await screen.findByRole('button', { name: /Lab notes.*Being deleted/ })).toBeTruthy()
    await opened.user.click(screen.getByRole('button', { name: 'Undo' }))
    expect(lastInput(opened, 'undoDeleteAttachment')).toEqual({ instanceId: signedIn.id, attachmentId: 'f1' })
  })

  it("uploads each chosen file by name, and lists files that can't be uploaded", async () => {
    const opened = await openAttachments({
      chooseFiles: {
        files: [{ fileId: '1', name: 'slides.pdf', title: 'slides', bytes: 1500 }],
        refused: [{ name: 'folder', error: { code: 'attachments/file-unreadable', message: '' } }],
      },
    })
    const { user } = opened
    await user.click(await screen.findByRole('button', { name: 'Upload files' }))
    expect((await screen.findByText('slides.pdf')).parentElement?.textContent).toBe('slides.pdf · 1.5 kB')
    expect(screen.getByText("Can't be uploaded: folder")).toBeTruthy()
    await user.clear(screen.getByRole('textbox', { name: /Title/ }))
    await user.type(screen.getByRole('textbox', { name: /Title/ }), 'The slides')
    await user.click(screen.getByRole('button', { name: 'Upload' }))
    expect(lastInput(opened, 'uploadFiles')).toEqual({
      instanceId: signedIn.id,
      files: [{ fileId: '1', title: 'The slides', description: '', videos: [], modules: [] }],
    })
  })
})

it('takes files that are dropped, and leaves a text to the field that it is dropped into', async () => {
  await openAttachments()
  await screen.findByRole('button', { name: /Lab notes/ })
  const dropped = (types: string[], files: File[]) =>
    !fireEvent.drop(screen.getByRole('heading', { name: 'Attachments' }), { dataTransfer: { types, files } })
  expect(dropped(['Files'], [new File([], 'slides.pdf')])).toBe(true)
  expect(dropped(['text/plain'], [])).toBe(false)
})

describe('what is typed for something new', () => {
  const chosen = (fileId: string, name: string) => ({ fileId, name, title: name, bytes: 1500 })

  /** Opens the attachments with a slow command, whose next run `answer` ends. Each choice of files is another one. */
  async function openSending(slow: CommandName) {
    const answers: ((result: unknown) => void)[] = []
    let files = 0
    const opened = await openWindow({ instances: [signedIn] }, (name) => {
      if (name === slow) return new Promise((resolve) => answers.push(resolve))
      const known: Answers = {
        attachmentsIdentity: {},
        listAttachments: { data: [file], totalCount: 1, unreadable: 0 },
        showAttachment: { data: link },
      }
      const id = String(name === 'chooseFiles' ? (files += 1) : files)
      const value = name === 'chooseFiles' ? { files: [chosen(id, `${id}.pdf`)], refused: [] } : known[name]
      return { ok: true, value }
    })
    await visit(opened.user, 'Attachments')
    return { ...opened, answer: (result: unknown) => settled(() => answers.shift()?.(result)) }
  }

  async function typeLink(user: Opened['user'], title: string): Promise<void> {
    await user.type(await screen.findByRole('textbox', { name: /Title/ }), title)
    await user.type(screen.getByRole('textbox', { name: /Address/ }), 'https://example.org/manual')
  }

  it('stays with the chosen files while the user visits another view', async () => {
    const answers: Answers = { chooseFiles: { files: [chosen('1', 'slides.pdf')], refused: [] } }
    const opened = await openAttachments(answers)
    const { user } = opened
    await user.click(await screen.findByRole('button', { name: 'Upload files' }))
    await user.type(await screen.findByRole('textbox', { name: /Title/ }), ' of May')
    await user.type(screen.getByRole('textbox', { name: 'Description' }), 'For all.')
    await user.type(screen.getByRole('combobox', { name: 'Modules' }), 'm1{Enter}')
    await visit(user, 'Connection')
    await visit(user, 'Attachments')
    answers.chooseFiles = { files: [chosen('2', 'notes.pdf')], refused: [] }
    await user.click(await screen.findByRole('button', { name: 'Add more files' }))
    await user.click(screen.getByRole('button', { name: 'Upload' }))
    const texts = { description: 'For all.', videos: [], modules: ['m1'] }
    expect(lastInput(opened, 'uploadFiles')).toEqual({
      instanceId: signedIn.id,
      files: [
        { ...texts, fileId: '1', title: 'slides.pdf of May' },
        { ...texts, fileId: '2', title: 'notes.pdf' },
      ],
    })
    expect(screen.queryByRole('textbox', { name: /Title/ })).toBeNull()
  })

  it('stays when a link that was sent before is there', async () => {
    const { user, answer } = await openSending('addAttachmentLink')
    await user.click(await screen.findByRole('button', { name: 'Add link' }))
    await typeLink(user, 'Manual')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await user.click(screen.getByRole('button', { name: 'Upload files' }))
    await user.type(await screen.findByRole('textbox', { name: /Title/ }), ' of May')
    await answer({ ok: true, value: link })
    expect(screen.getByRole('textbox', { name: /Title/ })).toHaveProperty('value', '1.pdf of May')
  })

  it('stays in the next link when the one before is there', async () => {
    const { user, answer } = await openSending('addAttachmentLink')
    await user.click(await screen.findByRole('button', { name: 'Add link' }))
    await typeLink(user, 'Manual')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    await user.click(screen.getByRole('button', { name: 'Add link' }))
    await typeLink(user, 'Slides')
    await answer({ ok: true, value: link })
    expect(screen.getByRole('textbox', { name: /Title/ })).toHaveProperty('value', 'Slides')
  })

  it('stays for the files that were added while others were sent', async () => {
    const { user, ran, answer } = await openSending('uploadFiles')
    await user.click(await screen.findByRole('button', { name: 'Upload files' }))
    await user.click(await screen.findByRole('button', { name: 'Upload' }))
    await user.click(screen.getByRole('button', { name: 'Add more files' }))
    await user.type(await screen.findByDisplayValue('2.pdf'), ' of May')
    await answer({ ok: true })
    expect(screen.getByRole('textbox', { name: /Title/ })).toHaveProperty('value', '2.pdf of May')
    await user.click(screen.getByRole('button', { name: 'Upload' }))
    const sent = ran.filter(({ name }) => name === 'uploadFiles').map(({ input }) => input)
    expect(sent).toMatchObject([{ files: [{ fileId: '1' }] }, { files: [{ fileId: '2' }] }])
    await answer({ ok: true })
    expect(screen.queryByRole('textbox', { name: /Title/ })).toBeNull()
  })

  it.each([
    ['it is there', { ok: true, value: link } as const],
    ['it fails', { ok: false, error } as const],
  ])('can be sent only once while the user visits another view, until %s', async (_when, result) => {
    const { user, ran, answer } = await openSending('addAttachmentLink')
    await user.click(await screen.findByRole('button', { name: 'Add link' }))
    await typeLink(user, 'Manual')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await visit(user, 'Connection')
    await visit(user, 'Attachments')
    await user.type(await screen.findByRole('textbox', { name: 'Description' }), 'More.')
    await user.type(screen.getByRole('textbox', { name: /Title/ }), ' 2{Enter}')
    expect(ran.filter(({ name }) => name === 'addAttachmentLink')).toHaveLength(1)
    await visit(user, 'Connection')
    await answer(result)
    await visit(user, 'Attachments')
    if (result.ok) expect(await screen.findByRole('heading', { name: link.title })).toBeTruthy()
    else {
      expect((await screen.findByRole('alert')).textContent).toContain("The server couldn't be reached.")
      await user.click(screen.getByRole('button', { name: 'Save' }))
      expect(ran.findLast(({ name }) => name === 'addAttachmentLink')?.input).toMatchObject({
        title: 'Manual 2',
      })
    }
  })

  it('stays in a link when the button that opens the form is pressed again', async () => {
    const { user } = await openAttachments()
    await user.click(await screen.findByRole('button', { name: 'Add link' }))
    await typeLink(user, 'Manual')
    await user.click(screen.getByRole('button', { name: 'Add link' }))
    expect(screen.getByRole('textbox', { name: /Title/ })).toHaveProperty('value', 'Manual')
  })

  it('stays in a link, but not for the next one', async () => {
    const { user } = await openAttachments()
    const title = () => screen.findByRole<HTMLInputElement>('textbox', { name: /Title/ })
    await user.click(await screen.findByRole('button', { name: 'Add link' }))
    await user.type(await title(), 'Manual')
    await visit(user, 'Connection')
    await visit(user, 'Attachments')
    expect((await title()).value).toBe('Manual')
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    await user.click(screen.getByRole('button', { name: 'Add link' }))
    expect((await title()).value).toBe('')
  })
})

describe('a transfer', () => {
  const moving: TransferItem = {
    id: 't1',
    instanceId: signedIn.id,
    kind: 'upload',
    title: 'Big file',
    state: 'transferring',
    bytes: 2_500_000,
    totalBytes: 10_000_000,
    bytesPerSecond: 500_000,
    secondsLeft: 15,
  }

  it('shows progress, speed and time left, and can be cancelled', async () => {
    const opened = await openAttachments({}, { transfers: [moving] })
    const transfers = await screen.findByRole('region', { name: 'Transfers' })
    expect(within(transfers).getByText('2.5 MB of 10 MB · 500 kB per second · 15 seconds left')).toBeTruthy()
    expect(within(transfers).getByRole('progressbar').getAttribute('aria-valuenow')).toBe('25')
    await opened.user.click(within(transfers).getByRole('button', { name: 'Cancel' }))
    expect(lastInput(opened, 'cancelTransfer')).toEqual({ transferId: 't1' })
  })

  it('shows why it failed, and can be retried', async () => {
    const opened = await openAttachments({}, { transfers: [{ ...moving, state: 'failed', error }] })
    const transfers = await screen.findByRole('region', { name: 'Transfers' })
    expect(within(transfers).getByRole('alert').textContent).toContain("The server couldn't be reached.")
    await opened.user.click(within(transfers).getByRole('button', { name: 'Try again' }))
    expect(lastInput(opened, 'retryTransfer')).toEqual({ transferId: 't1' })
  })

  it('shows the attachment that a failed upload left at the service', async () => {
    const item = { ...file, id: 'left', title: 'Left over', status: 'IN_PROGRESS' }
    const left = { ...moving, state: 'failed', error, left: 'identified', attachmentId: 'left' } as const
    const opened = await openAttachments(
      { attachmentsIdentity: { userId: 'ann' }, showAttachment: { data: item } },
      { transfers: [left] },
    )
    const transfers = await screen.findByRole('region', { name: 'Transfers' })
    expect(within(transfers).getByText(/^The service still lists its attachment/)).toBeTruthy()
    await opened.user.click(within(transfers).getByRole('button', { name: 'Show in the list' }))
    expect(lastInput(opened, 'listAttachments')).toMatchObject({ filter: { userId: 'ann' } })
    expect(lastInput(opened, 'showAttachment')).toEqual({ instanceId: signedIn.id, attachmentId: 'left' })
    expect(await screen.findByRole('heading', { name: 'Left over' })).toBeTruthy()
  })

  it('shows no attachment of one service among those of another chosen meanwhile', async () => {
    const item = { ...file, id: 'left', title: 'Left over', status: 'IN_PROGRESS' }
    const left = { ...moving, state: 'failed', error, left: 'identified', attachmentId: 'left' } as const
    let answer: (result: unknown) => void = () => undefined
    const later = new Promise((resolve) => {
      answer = resolve
    })
    const other = { ...signedIn, id: 'other.example.org' }
    const list = { data: [file, link], totalCount: 2, unreadable: 0 }
    const answers: Answers = { attachmentsIdentity: {}, listAttachments: list }
    const { user } = await openWindow({ instances: [signedIn, other], transfers: [left] }, (name) =>
      name === 'showAttachment' ? later : { ok: true, value: answers[name] },
    )
    await visit(user, 'Attachments')
    await user.click(await screen.findByRole('button', { name: 'Show in the list' }))
    await user.selectOptions(screen.getByRole('combobox', { name: 'Service' }), other.id)
    await screen.findByRole('button', { name: /Source code/ })
    await settled(() => {
      answer({ ok: true, value: { data: item } })
    })
    expect(screen.queryByRole('heading', { name: 'Left over' })).toBeNull()
    expect(screen.getByRole('combobox', { name: 'Service' })).toHaveProperty('value', other.id)
  })

  it("doesn't claim that a cancelled upload left nothing when that isn't known", async () => {
    const opened = await openAttachments(
      {},
      { transfers: [{ ...moving, state: 'cancelled', left: 'unidentified' }] },
    )
    const transfers = await screen.findByRole('region', { name: 'Transfers' })
    expect(within(transfers).getByText(/may still list an attachment without a file/)).toBeTruthy()
    const before = opened.ran.length
    await opened.user.click(within(transfers).getByRole('button', { name: 'Show in the list' }))
    expect(opened.ran.slice(before).map(({ name }) => name)).toContain('listAttachments')
    expect(opened.ran.slice(before).map(({ name }) => name)).not.toContain('showAttachment')
  })

  it('refreshes the list when done, and shows a downloaded program only in its folder', async () => {
    const opened = await openAttachments({}, { transfers: [moving] })
    await screen.findByRole('button', { name: /Lab notes/ })
    const before = opened.ran.length
    const download = { ...moving, id: 't2', kind: 'download', state: 'done', opens: 'folder' } as const
    opened.change({ transfers: [{ ...moving, state: 'done' }, download] })
    expect(opened.ran.slice(before).map(({ name }) => name)).toEqual(['listAttachments'])
    expect(screen.getByRole('button', { name: 'Show in folder' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Open' })).toBeNull()
  })
})

describe('the focus after Delete', () => {
  const third: AttachmentItem = { ...file, id: 'f2', title: 'Slides' }

  async function deleteNamed(name: RegExp, answers: Answers = {}): Promise<Opened> {
    const opened = await openAttachments({
      listAttachments: { data: [file, link, third], totalCount: 3, unreadable: 0 },
      ...answers,
    })
    await opened.user.click(await screen.findByRole('button', { name }))
    await opened.user.click(screen.getByRole('button', { name: 'Delete' }))
    return opened
  }

  it('is on the next row', async () => {
    const opened = await deleteNamed(/Lab notes/)
    expect(lastInput(opened, 'deleteAttachment')).toMatchObject({ attachmentId: 'f1' })
    await vi.waitFor(() => {
      expect(document.activeElement?.textContent).toContain('Source code')
    })
    expect(screen.queryByRole('region', { name: 'Details' })).toBeNull()
  })

  it('is on the row before the last one', async () => {
    await deleteNamed(/Slides/)
    await vi.waitFor(() => {
      expect(document.activeElement?.textContent).toContain('Source code')
    })
  })

  it('is on the heading if no row is left', async () => {
    await deleteNamed(/Lab notes/, { listAttachments: { data: [file], totalCount: 1, unreadable: 0 } })
    await vi.waitFor(() => {
      expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Attachments' }))
    })
  })

  it("stays if the deletion can't be planned", async () => {
    await deleteNamed(/Lab notes/, { deleteAttachment: error })
    await screen.findAllByRole('alert')
    expect(screen.getByRole('region', { name: 'Details' })).toBeTruthy()
  })
})

describe('the choices', () => {
  const authors = () =>
    [...screen.getByRole<HTMLSelectElement>('combobox', { name: 'Author' }).options].map(({ text }) => text)
  const offered = async ({ user }: Opened, field: string): Promise<string[]> => {
    await user.click(screen.getByRole('combobox', { name: field }))
    return screen.queryAllByRole('option', { name: /^[vm]\d/ }).map(({ textContent }) => textContent)
  }
  const listAttachments = {
    data: [file, { ...link, userId: 'bob', videos: ['v2', 'v1'], modules: ['m1'] }],
    totalCount: 2,
    unreadable: 0,
  }

  it('of the filter name the authors, videos and modules that the list has shown, and the person', async () => {
    const opened = await openAttachments({ attachmentsIdentity: { userId: 'ann' }, listAttachments })
    const { user } = opened
    await screen.findByRole('button', { name: /Lab notes/ })
    await user.click(screen.getByRole('button', { name: 'Filter' }))
    expect(authors()).toEqual(['Everyone', 'ann (You)', 'bob'])
    expect(await offered(opened, 'Modules')).toEqual(['m1'])
    expect(await offered(opened, 'Videos')).toEqual(['v1', 'v2'])
    await user.click(screen.getByRole('option', { name: 'v1' }))
    expect(await offered(opened, 'Videos'), 'as the list is fetched again').toEqual(['v2'])
  })

  it('of a new link are those that the list has shown, by keyboard as well', async () => {
    const opened = await openAttachments({ listAttachments, addAttachmentLink: link })
    const { user } = opened
    await screen.findByRole('button', { name: /Lab notes/ })
    await user.click(screen.getByRole('button', { name: 'Add link' }))
    await user.type(screen.getByRole('textbox', { name: 'Title' }), 'Slides')
    await user.type(screen.getByRole('textbox', { name: 'Address' }), 'https://example.org/')
    expect(await offered(opened, 'Modules')).toEqual(['m1'])
    await user.click(screen.getByRole('combobox', { name: 'Videos' }))
    await user.keyboard('{ArrowDown}{ArrowDown}{Enter}v{Escape}')
    expect(screen.getByRole('button', { name: 'Remove v2' })).toBeTruthy()
    expect(screen.getByRole('combobox', { name: 'Videos' })).toHaveProperty('value', '')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(lastInput(opened, 'addAttachmentLink')).toMatchObject({ videos: ['v2'], modules: [] })
  })

  it('show one video at once, never everything, and take the id of another', async () => {
    const opened = await openAttachments()
    const { user } = opened
    await screen.findByRole('button', { name: /Lab notes/ })
    await user.click(screen.getByRole('radio', { name: 'For a video' }))
    expect(lastInput(opened, 'listAttachmentsOfVideo')).toEqual({ instanceId: signedIn.id, videoId: 'v1' })
    const video = screen.getByRole('combobox', { name: 'Video' })
    expect(video).toHaveProperty('value', 'v1')
    await user.clear(video)
    await user.type(video, 'v7')
    // As when the window loses the focus.
    fireEvent.blur(video)
    expect(lastInput(opened, 'listAttachmentsOfVideo')).toMatchObject({ videoId: 'v1' })
    await user.keyboard('{Enter}')
    expect(lastInput(opened, 'listAttachmentsOfVideo')).toEqual({ instanceId: signedIn.id, videoId: 'v7' })
    expect(video).toHaveProperty('value', 'v7')
  })
})

it('keeps the focus in the list of services while another one is shown', async () => {
  const { user, ran } = await openAttachments(
    {},
    { instances: [signedIn, { ...signedIn, id: 'vpn.example.com' }] },
  )
  await screen.findByRole('button', { name: /Source code/ })
  await user.selectOptions(screen.getByRole('combobox', { name: 'Service' }), 'vpn.example.com')
  await screen.findByRole('button', { name: /Source code/ })
  expect(ran.at(-1)?.input).toMatchObject({ instanceId: 'vpn.example.com' })
  expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Service' }))
})

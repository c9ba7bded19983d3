import { type Command, InvalidArgumentError } from 'commander'
import type { Attachment, AttachmentPage } from '../../services/attachments/attachment'
import type { AttachmentsClient } from '../../services/attachments/attachments-client'
import { currentAttachment } from '../../services/attachments/listed-attachments'
import { CausewayError, report } from '../../errors'
import { agrees, askUnlessYes } from '../ask'
import type { Context } from '../command-context'
import { type InstanceContext, onInstance, withInstance } from '../context'
import { t } from '../language'
import { cells, localTime, padded } from '../screen'
import { table } from '../terminal'
import { inUnits } from './attachment-progress'
import { addAttachmentTransferCommands, tellLinks } from './attachment-transfer'
import { shortened } from './organization-user'

interface Page {
  readonly page?: number
  readonly pageSize?: number
}
interface Total {
  readonly withTotal?: boolean
}
interface Filter extends Page, Total {
  readonly user?: string
  readonly video?: string[]
  readonly module?: string[]
}
interface Texts {
  readonly title?: string
  readonly description?: string
  readonly video?: string[]
  readonly module?: string[]
}

/** Adds `causeway attachment …` (docs/terminal.md). */
export function addAttachmentCommands(program: Command): void {
  const attachment = program
    .command('attachment')
    .description('manage files and links for videos and modules')
  const command = (words: string, description: string): Command =>
    withInstance(attachment.command(words).description(description))

  listing(command('list', 'list attachments'))
    .option('--user <id>', 'only attachments by this author')
    .option('--video <id...>', 'only attachments of these videos')
    .option('--module <id...>', 'only attachments of these modules')
    .action(
      onInstance<[Filter]>(async (context, { user, video, module, ...options }) => {
        const { page, pageSize } = options
        const filter = { userId: user, videos: video, modules: module }
        const answer = await context.run('listAttachments', { ...of(context), page, pageSize, filter })
        print(context, options, context.dataOf(answer))
      }),
    )

  listing(command('for-video <video>', "list a video's attachments, which members can see too")).action(
    onInstance<[string, Page & Total]>(async (context, video, options) => {
      const answer = await context.run('listAttachmentsOfVideo', { ...of(context), videoId: video })
      print(context, options, partOf(context.dataOf(answer), options))
    }),
  )

  command('show <id>', 'show an attachment').action(
    onInstance<[string, object]>(async (context, id) => {
      const { terminal } = context
      const one = { ...of(context), attachmentId: id }
      const answer = await context.run('showAttachment', one)
      const data = context.dataOf(answer)
      const isThere = data.type === 'INTERNAL' && data.status === 'COMPLETED' && answer.cachedAt === undefined
      const { bytes, changedAt } = isThere ? await context.run('attachmentFile', one) : {}
      const file = { bytes, changedAt: changedAt === undefined ? undefined : new Date(changedAt) }
      terminal.result({ ...data, ...file }, describe(data, file))
    }),
  )

  linked(command('add-link <url>', 'add a link'))
    .requiredOption('--title <title>', 'the title to show')
    .option('--description <text>', 'the description')
    .action(
      onInstance<[string, Texts & { readonly title: string }]>(async (context, url, options) => {
        const { title } = options
        const link = { title, address: url, ...changesOf(options) }
        const added = await context.run('addAttachmentLink', { ...of(context), ...link })
        tellLinks(context, options, added)
        context.terminal.result(
          added,
          t('terminal.attachment.added', { title: shortened(added.title, 80), id: added.id }),
        )
      }),
    )

  linked(command('edit <id>', "change an attachment's details"))
    .option('--title <title>', 'the title to show')
    .option('--description <text>', 'the description; "" removes it')
    .option('--url <url>', "the link's address")
    .action(
      onInstance<[string, Texts & { readonly url?: string }]>(async (context, id, options) => {
        requireChange(options)
        const { title, url } = options
        const changes = { title, address: url, ...changesOf(options) }
        const edited = await context.run('editAttachment', { ...of(context), attachmentId: id, ...changes })
        if (edited !== undefined) tellLinks(context, options, edited)
        context.terminal.result(edited ?? { id }, t('terminal.attachment.changed', { id }))
      }),
    )

  command('delete <id>', 'delete an attachment and its file')
    .option('--yes', "don't ask for confirmation; required without a terminal")
    .action(
      onInstance<[string, { readonly yes?: true }]>(async (context, id, options) => {
        const client = await clientFor(context)
        if (options.yes !== true) await confirm(client, id, context)
        await client.remove(id, context.signal)
        context.terminal.result({ id }, t('terminal.attachment.deleted', { id }))
      }),
    )

  addAttachmentTransferCommands(attachment)
}

function listing(command: Command): Command {
  return command
    .option('--page <number>', 'the page number, starting at 1', positive)
    .option('--page-size <number>', 'the number of attachments per page', positive)
    .option('--with-total', 'with --json, print {data, totalCount, unreadable} instead of only the data')
}

/** Returns a page of the attachments of a video, because that call has no pages. */
function partOf(all: AttachmentPage, { page = 1, pageSize }: Page): AttachmentPage {
  if (page === 1 && pageSize === undefined) return all
  const size = pageSize ?? 10
  return { ...all, data: all.data.slice((page - 1) * size, page * size) }
}

function linked(command: Command): Command {
  return command
    .option('--video <id...>', 'IDs of the videos to link it to')
    .option('--module <id...>', 'IDs of the modules to link it to')
}

function changesOf({ description, video, module }: Texts) {
  return { description, videos: video, modules: module }
}

function of({ instance }: InstanceContext) {
  return { instanceId: instance.id }
}

function clientFor({ services, instance, signal }: InstanceContext): Promise<AttachmentsClient> {
  return services.attachments(instance, signal)
}

function requireChange({ title, url, ...options }: Texts & { readonly url?: string }): void {
  const changes = Object.values({ title, url, ...changesOf(options) })
  if (changes.some((value) => value !== undefined)) return
  throw new CausewayError('usage/invalid-argument', { variant: 'attachment-unchanged' })
}

/** Asks for confirmation. Throws `usage/invalid-argument` without a terminal. */
async function confirm(client: AttachmentsClient, id: string, context: Context): Promise<void> {
  const question = async () => {
    const { title } = await currentAttachment(client, id, context.signal)
    return t('terminal.attachment.deleteQuestion', { title: shortened(title, 80) })
  }
  if (agrees(await askUnlessYes(question, 'confirm-attachment', context))) return
  throw new CausewayError('http/cancelled', { variant: 'nothing-deleted' })
}

function print(
  { terminal }: Context,
  { withTotal = false }: Total,
  { data, totalCount, unreadable }: AttachmentPage,
): void {
  const rows = data.map(({ id, type, status, title }) => [id, type, status, shortened(title, 60)])
  const shown = t('terminal.attachment.count', { shown: data.length, total: totalCount })
  const header = [
    t('terminal.column.id'),
    t('terminal.column.type'),
    t('terminal.column.status'),
    t('terminal.column.title'),
  ]
  terminal.result(
    withTotal ? { data, totalCount, unreadable } : data,
    rows.length === 0 ? shown : `${table(header, rows)}\n${shown}`,
  )
  if (unreadable === 0) return
  terminal.notice(report('attachments/unreadable', { details: { count: unreadable } }))
}

function describe(
  attachment: Attachment,
  { bytes, changedAt }: { readonly bytes?: number; readonly changedAt?: Date },
): string {
  const { id, userId, url, status, type, title, description, extension, videos, modules } = attachment
  const file = `${t('terminal.attachment.file')}${extension === undefined ? '' : ` (${extension})`}`
  const lines: [name: string, value: string | undefined][] = [
    [t('terminal.attachment.title'), title],
    [t('terminal.attachment.description'), description],
    [t('terminal.attachment.type'), type === 'EXTERNAL' ? t('terminal.attachment.link') : file],
    // The URL of a file is a short-lived secret; `download` uses it.
    [t('terminal.attachment.address'), type === 'EXTERNAL' ? url : undefined],
    [t('terminal.attachment.status'), status],
    [t('terminal.attachment.size'), bytes === undefined ? undefined : inUnits(bytes)],
    [t('terminal.attachment.changedAt'), changedAt === undefined ? undefined : localTime(changedAt)],
    [t('terminal.attachment.author'), userId],
    [t('terminal.attachment.videos'), videos.join(', ')],
    [t('terminal.attachment.modules'), modules.join(', ')],
    ['ID', id],
  ]
  const width = Math.max(...lines.map(([name]) => cells(name))) + 2
  return lines
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value = '']) => `${padded(name, width)}${value.replaceAll('\n', `\n${' '.repeat(width)}`)}`)
    .join('\n')
}

function positive(text: string): number {
  if (/^[1-9][0-9]{0,8}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number, 1 or greater.')
}

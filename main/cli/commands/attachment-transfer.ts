import { stat } from 'node:fs/promises'
import type { Command } from 'commander'
import type { AttachmentLinks } from '../../services/attachments/attachments-client'
import { currentAttachment } from '../../services/attachments/listed-attachments'
import type { Transfer } from '../../services/attachments/transfer'
import { CausewayError } from '../../errors'
import { agrees, askUnlessYes } from '../ask'
import type { Context } from '../command-context'
import { type InstanceContext, onInstance, withInstance } from '../context'
import { t } from '../language'
import { AttachmentProgress } from './attachment-progress'
import { shortened } from './organization-user'

interface LinkOptions {
  readonly video?: string[]
  readonly module?: string[]
}
interface FileOptions extends LinkOptions {
  readonly title?: string
  readonly description?: string
  readonly extension?: string
}

interface Replacing extends FileOptions {
  readonly yes?: true
}

/** Adds `upload`, `replace` and `download`. */
export function addAttachmentTransferCommands(attachment: Command): void {
  const command = (words: string, description: string): Command =>
    withInstance(attachment.command(words).description(description))

  command('upload <file>', 'upload a file as a new attachment')
    .option('--title <title>', "the title to show (default: the file's name)")
    .option('--description <text>', 'the description')
    .option('--extension <extension>', 'the file extension, if the name has none')
    .option('--video <id...>', 'IDs of the videos to link it to')
    .option('--module <id...>', 'IDs of the modules to link it to')
    .action(
      onInstance<[string, FileOptions]>(async (context, path, options) => {
        const { instance, services } = context
        const begun = await services.attachmentTransfers.upload(instance.id, {
          path,
          title: options.title,
          extension: options.extension,
          description: options.description,
          videos: options.video,
          modules: options.module,
        })
        const transfer = await ended(context, begun)
        if (transfer.withoutLinks === true) tellLinks(context, options, {})
        await tellUploaded(context, transfer)
      }),
    )

  command('replace <id> <file>', "replace the attachment's file")
    .option('--title <title>', 'the new title')
    .option('--yes', 'replace a link with a file without asking first')
    .option('--extension <extension>', 'the file extension, if the name has none')
    .action(
      onInstance<[string, string, Replacing]>(async (context, attachmentId, path, options) => {
        const { instance, services } = context
        const mayConvert = options.yes ?? (await askToConvert(context, attachmentId))
        const { title, extension } = options
        const request = { attachmentId, path, title, extension, mayConvert }
        const begun = await services.attachmentTransfers.replace(instance.id, request)
        await tellUploaded(context, await ended(context, begun))
      }),
    )

  command('download <id> [file]', "download the attachment's file, by default to the current folder")
    .option('--overwrite', 'overwrite an existing file with the same name')
    .action(
      onInstance<[string, string | undefined, { readonly overwrite?: true }]>(
        async (context, attachmentId, path, { overwrite = false }) => {
          const { instance, services, terminal } = context
          const to = await target(path)
          const request = { attachmentId, to, overwrite }
          const begun = await services.attachmentTransfers.download(instance.id, request)
          const done = await ended(context, begun)
          terminal.result(
            { id: attachmentId, path: done.path, bytes: done.progress.bytes },
            t('terminal.attachment.downloaded', { path: done.path }),
          )
        },
      ),
    )
}

async function target(path: string | undefined): Promise<{ folder: string } | { path: string }> {
  if (path === undefined) return { folder: '.' }
  const found = await stat(path).catch(() => undefined)
  if (found?.isDirectory() === true) return { folder: path }
  if (!namesFolder(path)) return { path }
  throw new CausewayError('attachments/file-unwritable', { details: { reason: 'no-folder' } })
}

/** Returns true if a path can only name a folder: it ends in a separator, or in one or two dots. */
function namesFolder(path: string): boolean {
  return (process.platform === 'win32' ? /(^|[\\/])\.{0,2}$/ : /(^|\/)\.{0,2}$/).test(path)
}

/** Returns false for a file, and true for a link that the user confirms to replace with a file. */
async function askToConvert(context: InstanceContext, id: string): Promise<boolean> {
  const { instance, services, signal } = context
  const { type, title } = await currentAttachment(await services.attachments(instance, signal), id, signal)
  if (type === 'INTERNAL') return false
  const question = () => t('terminal.attachment.convertQuestion', { title: shortened(title, 80) })
  if (agrees(await askUnlessYes(question, 'link-to-file', context))) return true
  throw new CausewayError('http/cancelled', { variant: 'nothing-replaced' })
}

/** Prints a note if the service didn't accept the links to videos and modules. */
export function tellLinks(
  { terminal }: Context,
  { video = [], module = [] }: LinkOptions,
  { videos = [], modules = [] }: AttachmentLinks,
): void {
  if (video.every((id) => videos.includes(id)) && module.every((id) => modules.includes(id))) return
  terminal.note(t('terminal.attachment.withoutLinks'))
}

/** Shows the progress of a transfer until it ends; Ctrl-C cancels it. Throws the error of the transfer. */
async function ended({ services, terminal, signal }: Context, begun: Transfer): Promise<Transfer> {
  const { attachmentTransfers: transfers } = services
  const progress = terminal.json ? undefined : new AttachmentProgress(process.stderr)
  const stop = transfers.onChange((all) => {
    const now = all.find(({ id }) => id === begun.id)
    if (now !== undefined) progress?.show(now)
  })
  const cancel = (): void => {
    transfers.cancel(begun.id)
  }
  signal.addEventListener('abort', cancel)
  if (signal.aborted) cancel()
  try {
    const transfer = await transfers.ended(begun.id)
    progress?.clear()
    tellLeft(terminal, transfer)
    if (transfer.state === 'cancelled') throw cancelled(transfer)
    if (transfer.state !== 'failed') return transfer
    const { error } = transfer
    throw CausewayError.fromReport({ ...error, details: { ...error.details, ...leftDetails(transfer) } })
  } finally {
    signal.removeEventListener('abort', cancel)
    stop()
  }
}

function tellLeft(terminal: Context['terminal'], { left, attachmentId: id = '', title }: Transfer): void {
  if (left === 'identified') {
    terminal.note(t('terminal.attachment.withoutFile', { id }))
  }
  if (left === 'unidentified') {
    terminal.note(t('terminal.attachment.maybeWithoutFile', { title: shortened(title, 80) }))
  }
}

function leftDetails({ kind, left, attachmentId }: Transfer) {
  return { attachmentId: kind === 'download' ? undefined : attachmentId, left }
}

function cancelledVariant({ kind, left }: Transfer) {
  if (kind === 'replacement') return 'replacement'
  return left === undefined ? 'transfer' : 'upload-left'
}

function cancelled(transfer: Transfer): CausewayError {
  const { left } = transfer
  return new CausewayError('http/cancelled', {
    variant: cancelledVariant(transfer),
    details: left === undefined ? {} : leftDetails(transfer),
  })
}

async function tellUploaded(context: InstanceContext, transfer: Transfer): Promise<void> {
  const { terminal } = context
  const { attachmentId, title, state } = transfer
  const name = shortened(title, 80)
  const result =
    attachmentId === undefined
      ? t('terminal.attachment.uploaded', { name })
      : t('terminal.attachment.uploadedAs', { name, id: attachmentId })
  if (state === 'done' && attachmentId !== undefined) {
    terminal.result(terminal.json ? await uploaded(context, title, attachmentId) : {}, result)
    return
  }
  terminal.result(
    {
      id: attachmentId,
      status: 'IN_PROGRESS',
      type: 'INTERNAL',
      title,
    },
    `${result} ${t('terminal.attachment.notConfirmed')}`,
  )
}

/**
 * Returns the uploaded attachment, or what is known of it. The service has confirmed the file: an error or Ctrl-C now must not
 * look like a failed upload, or a script uploads the file again.
 */
async function uploaded(
  { services, instance, signal }: InstanceContext,
  title: string,
  id: string,
): Promise<unknown> {
  try {
    return await (await services.attachments(instance, signal)).show(id, signal)
  } catch (error) {
    if (!(error instanceof CausewayError)) throw error
    return { id, status: 'COMPLETED', type: 'INTERNAL', title }
  }
}

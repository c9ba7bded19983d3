import type { AttachmentItem } from '../../contract/attachments'
import type { attachmentsCommands, CommandInput } from '../../contract/commands'
import { editableText } from '../../contract/safe-text'
import type { Services } from '../app/services'
import type { Attachment, AttachmentPage, AttachmentQuery } from '../services/attachments/attachment'
import { changeAttachment } from '../services/attachments/change-attachment'
import { currentAttachment } from '../services/attachments/listed-attachments'
import { answerOf, type MaybeCached } from '../services/offline-cache/read-or-cached'
import type { InstanceOf } from './face'
import { type SharedHandlers, handler } from './handler'

interface OfInstance {
  readonly instanceId: string
}
type One = CommandInput<'showAttachment'>
/** The texts of a link; a terminal may leave out all but the title. */
type Texts = Pick<CommandInput<'addAttachmentLink'>, 'title' | 'address'> &
  Partial<Pick<CommandInput<'addAttachmentLink'>, 'description' | 'videos' | 'modules'>>

export type SharedAttachmentsCommand = Extract<
  keyof typeof attachmentsCommands,
  | 'listAttachments'
  | 'listAttachmentsOfVideo'
  | 'showAttachment'
  | 'attachmentFile'
  | 'addAttachmentLink'
  | 'editAttachment'
>

/** Returns the handlers of the attachment commands of window and terminal. They throw the errors of the client. */
export function attachmentsHandlers(
  services: Pick<Services, 'attachments' | 'attachmentFile' | 'read'>,
  instanceOf: InstanceOf,
) {
  const clientOf = async ({ instanceId }: OfInstance, signal?: AbortSignal) =>
    services.attachments(await instanceOf(instanceId), signal)
  let askingForFile = new AbortController()

  return {
    listAttachments: handler(
      async (
        {
          instanceId,
          page,
          pageSize,
          filter: { userId, ...linked },
        }: OfInstance &
          Pick<AttachmentQuery, 'page' | 'pageSize'> & {
            readonly filter: Omit<AttachmentQuery, 'page' | 'pageSize'>
          },
        signal,
      ) => {
        const query = { page, pageSize, userId: userId === '' ? undefined : userId, ...linked }
        return services.read.attachments(
          await instanceOf(instanceId),
          (client) => client.list(query, signal),
          signal,
        )
      },
      pageItems,
    ),
    listAttachmentsOfVideo: handler(
      async ({ instanceId, videoId }: CommandInput<'listAttachmentsOfVideo'>, signal) =>
        services.read.attachments(
          await instanceOf(instanceId),
          (client) => client.forVideo(videoId, signal),
          signal,
        ),
      pageItems,
    ),
    showAttachment: handler(
      async ({ instanceId, attachmentId }: One, signal) =>
        services.read.attachments(
          await instanceOf(instanceId),
          (client) => currentAttachment(client, attachmentId, signal),
          signal,
        ),
      ({ data, cachedAt }) => ({ data: attachmentItem(data), cachedAt }),
    ),
    attachmentFile: handler(
      async ({ instanceId, attachmentId }: One, signal) => {
        // The window shows the details of one attachment.
        askingForFile.abort()
        askingForFile = new AbortController()
        const either = signal === undefined ? [] : [signal]
        return services.attachmentFile(
          await instanceOf(instanceId),
          attachmentId,
          AbortSignal.any([askingForFile.signal, ...either]),
        )
      },
      (facts) => facts,
    ),
    addAttachmentLink: handler(
      async ({ address, instanceId, ...texts }: OfInstance & Texts, signal) =>
        (await clientOf({ instanceId }, signal)).addLink({ ...given(texts), url: address }, signal),
      attachmentItem,
    ),
    editAttachment: handler(
      async (
        { attachmentId, instanceId, address, ...changes }: One & Partial<CommandInput<'editAttachment'>>,
        signal,
      ) => {
        const client = await clientOf({ instanceId }, signal)
        return changeAttachment(client, attachmentId, { ...changes, url: address }, signal)
      },
      () => undefined,
    ),
  } satisfies SharedHandlers<SharedAttachmentsCommand>
}

/** Leaves out empty fields, because servers without links to videos may refuse them. */
export function given<
  Texts extends {
    readonly description?: string
    readonly videos?: readonly string[]
    readonly modules?: readonly string[]
  },
>({ description, videos, modules, ...rest }: Texts) {
  return {
    ...rest,
    description: description === '' ? undefined : description,
    videos: videos?.length === 0 ? undefined : videos,
    modules: modules?.length === 0 ? undefined : modules,
  }
}

function pageItems(seen: MaybeCached<AttachmentPage>) {
  const {
    data: { data, ...counts },
    ...age
  } = answerOf(seen)
  return { data: data.map(attachmentItem), ...counts, ...age }
}

/** Converts an attachment for the window, without the URL of a file, which is a secret. */
function attachmentItem({ url, ...attachment }: Attachment): AttachmentItem {
  const { title, description, extension, type } = attachment
  return {
    ...attachment,
    title: editableText(title),
    description: description === undefined ? undefined : editableText(description),
    extension: extension === undefined ? undefined : editableText(extension),
    address: type === 'EXTERNAL' ? url : undefined,
  }
}

/** The entity of the attachments document, section 2. */
export interface Attachment {
  id: string
  userId: string
  url: string
  status: 'IN_PROGRESS' | 'COMPLETED'
  type: 'INTERNAL' | 'EXTERNAL'
  title: string
  description?: string
  extension?: string
  videos: string[]
  modules: string[]
}

/** An attachment as the mock holds it: with the time by which lists are sorted, which is not part of the answer. */
export interface StoredAttachment {
  attachment: Attachment
  updatedAt: Date
}

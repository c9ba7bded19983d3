import type { ReactNode } from 'react'
import type { View } from '../contract/views'
import { AttachmentsView } from './features/attachments/attachments-view'
import { DoctorView } from './features/doctor/doctor-view'
import { MessagesView } from './features/messages/messages-view'
import { NewsView } from './features/news/news-view'
import { OrganizationView } from './features/organization/organization-view'
import { SettingsView } from './features/settings/settings-view'

/** The views that the start doesn't need, in a separate script. */
export function OtherView({ view }: { readonly view: Exclude<View, 'connection'> }): ReactNode {
  switch (view) {
    case 'messages':
      return <MessagesView />
    case 'attachments':
      return <AttachmentsView />
    case 'news':
      return <NewsView />
    case 'organization':
      return <OrganizationView />
    case 'settings':
      return <SettingsView />
    case 'doctor':
      return <DoctorView />
  }
}

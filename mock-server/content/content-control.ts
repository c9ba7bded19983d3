import type { App } from '../http/app'
import type { ContentService } from './content-service'

/** Skeleton. */
export function addContentControl(app: App, base: string, service: ContentService): void {
  void [app, base, service]
}

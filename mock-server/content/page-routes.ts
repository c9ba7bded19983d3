import { sendPage } from '../http/answer'
import type { App } from '../http/app'
import { pathOf } from '../http/parameters'
import { sendContentError } from './content-answer'
import { imagesPath, pagesPath } from './content-data'
import type { ContentService } from './content-service'
import { brokenImageOf, imageOf } from './images'
import { pageAt } from './pages'

/** Adds the pictures and pages whose addresses the content API returns. No document describes them. */
export function addPageRoutes(app: App, service: ContentService): void {
  app.get<{ Params: { name: string } }>(`${imagesPath}/:name`, ({ params }, reply) => {
    const image = service.situation === 'images-broken' ? brokenImageOf(params.name) : imageOf(params.name)
    return image === undefined
      ? sendContentError(reply, 404, 'Picture not found.')
      : reply
          .header('content-type', 'image/png')
          .header('cache-control', 'no-store')
          .header('x-content-type-options', 'nosniff')
          .send(image)
  })
  app.get(`${pagesPath}/*`, (request, reply) => {
    const page = pageAt(service.data, service.origin, pathOf(request))
    return page === undefined ? sendContentError(reply, 404, 'Page not found.') : sendPage(reply, 200, page)
  })
}

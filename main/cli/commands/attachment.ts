import { type Command, InvalidArgumentError } from 'commander'
import { action } from '../context'
import { table } from '../terminal'

interface Options {
  readonly instance?: string
  readonly page?: number
  readonly pageSize?: number
  readonly user?: string
  readonly video?: string[]
  readonly module?: string[]
}

export function addAttachmentCommands(program: Command): void {
  program
    .command('attachment')
    .description('files and links that belong to videos and modules')
    .command('list')
    .description('list them, newest first')
    .option('--instance <instance>', 'its id or address')
    .option('--page <number>', 'which page, from 1', positive)
    .option('--page-size <number>', 'how many on a page', positive)
    .option('--user <id>', 'only those of this author')
    .option('--video <id...>', 'only those of these videos')
    .option('--module <id...>', 'only those of these modules')
    .action(
      action<[Options]>(async ({ services, terminal, signal }, options) => {
        const instance = await services.instances.find(options.instance)
        const client = await services.attachments(instance, signal)
        const { data, totalCount } = await client.list(
          {
            ...(options.page === undefined ? {} : { page: options.page }),
            ...(options.pageSize === undefined ? {} : { pageSize: options.pageSize }),
            ...(options.user === undefined ? {} : { userId: options.user }),
            ...(options.video === undefined ? {} : { videos: options.video }),
            ...(options.module === undefined ? {} : { modules: options.module }),
          },
          signal,
        )
        const rows = data.map(({ id, type, status, title }) => [id, type, status, title])
        const shown = `${data.length} of ${totalCount}`
        terminal.result(
          data,
          rows.length === 0 ? shown : `${table(['ID', 'TYPE', 'STATUS', 'TITLE'], rows)}\n${shown}`,
        )
      }),
    )
}

function positive(text: string): number {
  if (/^[1-9][0-9]{0,8}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It is a whole number from 1.')
}

import type { FaultRule } from '../control/faults'
import type { Scenario, ScenarioTools } from '../control/scenario'
import { storagePath } from '../storage/object-storage'
import type { AttachmentsService } from './attachments-service'
import { hostileAttachments, manyAttachments } from './scenario-attachments'

const everyFile = `${storagePath}/*`
const everyAttachment = '/v2.0.0/attachments*'

function uploadScenarios({ storage }: AttachmentsService): Scenario[] {
  const switched = (
    name: string,
    sentence: string,
    change: Parameters<typeof storage.uploads.configure>[0],
  ): Scenario => ({
    name,
    sentence,
    apply: () => {
      storage.uploads.configure(change)
    },
  })
  return [
    switched(
      'held-upload',
      'Uploads arrive, but their attachments stay IN_PROGRESS until POST /_mock/uploads/notify delivers the notification.',
      { hold: true },
    ),
    switched(
      'delayed-upload-notification',
      'An attachment stays IN_PROGRESS for ten seconds after its upload.',
      {
        delaySeconds: 10,
      },
    ),
    switched('duplicated-upload-notification', 'The notification of each upload is delivered twice.', {
      duplicate: true,
    }),
    switched('lost-upload-notification', 'Uploads arrive, but their attachments stay IN_PROGRESS forever.', {
      lose: true,
    }),
    switched(
      'failing-upload-notification',
      'The service fails to accept the next notification twice, so that its delivery takes about three seconds.',
      { failures: 2 },
    ),
  ]
}

function storageScenarios({ storage }: AttachmentsService, { faults }: ScenarioTools): Scenario[] {
  const switched = (
    name: string,
    sentence: string,
    change: Parameters<typeof storage.switches.set>[0],
  ): Scenario => ({
    name,
    sentence,
    apply: () => {
      storage.switches.set(change)
    },
  })
  const faulty = (name: string, sentence: string, rule: FaultRule): Scenario => ({
    name,
    sentence,
    apply: () => {
      faults.add(rule)
    },
  })
  return [
    switched(
      'expired-upload-url',
      'Pre-signed URLs for uploads and downloads have expired when clients get them.',
      {
        urlLifetimeSeconds: 0,
      },
    ),
    switched(
      'short-lived-upload-url',
      'Pre-signed URLs for uploads and downloads expire after five seconds.',
      {
        urlLifetimeSeconds: 5,
      },
    ),
    switched('storage-full', 'Every upload is refused with 507.', { full: true }),
    switched(
      'early-upload-refusal',
      'The storage answers the next upload 403 before reading it, and closes the connection; later ones work.',
      { earlyRefusals: 1 },
    ),
    switched('slow-upload', 'The storage reads uploads at 64 KiB a second.', {
      uploadBytesPerSecond: 64 * 1024,
    }),
    switched('attachment-files-missing', 'Attachments are listed, but their files answer 404.', {
      empty: true,
    }),
    faulty('storage-unreachable', 'Every connection to the object storage is reset.', {
      match: { path: everyFile },
      fault: { reset: true },
    }),
    faulty(
      'interrupted-upload',
      'The connection of the next upload is reset after 100 bytes; later ones work.',
      {
        match: { method: 'PUT', path: everyFile },
        times: 1,
        fault: { reset: true, afterBytes: 100 },
      },
    ),
    faulty(
      'interrupted-download',
      'Every download breaks off in the middle, including one that resumes with a range.',
      {
        match: { method: 'GET', path: everyFile },
        fault: { truncate: true },
      },
    ),
  ]
}

/** Returns the scenarios of the attachments service. */
export function attachmentsScenarios(service: AttachmentsService, tools: ScenarioTools): Scenario[] {
  const now = () => tools.clock.now().getTime()
  return [
    {
      name: 'no-attachments',
      sentence: 'There are no attachments except those created from now on.',
      apply: () => {
        service.list.hideAll()
      },
    },
    {
      name: 'ten-thousand-attachments',
      sentence: 'There are ten thousand more attachments than usual.',
      apply: () => {
        service.list.show(manyAttachments(10_000, now()))
      },
    },
    {
      name: 'attachment-hostile-titles',
      sentence:
        'The newest attachments have titles with markup, paths, control characters, reversed text and extreme length.',
      apply: () => {
        service.list.show(hostileAttachments(now()))
      },
    },
    {
      name: 'attachments-other-shapes',
      sentence:
        'Creating a file returns the whole attachment, and lists are {items, totalCount}, as with a known server.',
      apply: () => {
        service.switches.set({ wholeEntity: true })
      },
    },
    {
      name: 'attachments-oldest-first',
      sentence: 'Lists of attachments start with the oldest.',
      apply: () => {
        service.switches.set({ oldestFirst: true })
      },
    },
    {
      name: 'attachments-lagging-list',
      sentence: 'Lists show an attachment only one minute after its creation.',
      apply: () => {
        service.switches.set({ listDelaySeconds: 60 })
      },
    },
    {
      name: 'attachments-strict',
      sentence:
        "Parameters and fields that aren't in the specification are answered 400, including videos and modules.",
      apply: () => {
        service.switches.set({ strict: true })
      },
    },
    {
      name: 'attachments-fixed-page',
      sentence: 'A page of attachments has at most ten entries, whatever the client requests.',
      apply: () => {
        service.switches.set({ mostOnPage: 10 })
      },
    },
    {
      name: 'attachments-bad-records',
      sentence: "Lists of attachments start with three records that don't match the specification.",
      apply: () => {
        service.switches.set({ badRecords: true })
      },
    },
    {
      name: 'attachments-forbidden',
      sentence: 'The attachments service answers 403 to everyone.',
      apply: () => {
        service.switches.set({ forbidden: true })
      },
    },
    {
      name: 'attachments-down',
      sentence: 'The attachments service answers 503 with a page instead of JSON.',
      apply: () => {
        tools.faults.add({
          match: { path: everyAttachment },
          fault: {
            status: 503,
            headers: { 'content-type': 'text/html; charset=utf-8', 'retry-after': '30' },
            body: '<html><body><h1>503 Service Temporarily Unavailable</h1></body></html>\n',
          },
        })
      },
    },
    ...uploadScenarios(service),
    ...storageScenarios(service, tools),
  ]
}

import type { Entry, User } from '../content/answer-schemas'
import { pagesPath, type HeldEntry } from '../content/content-data'
import { imageSizes, imageUrl } from '../content/images'
import { userUrl } from './content-users'

interface HostileText {
  title: string
  intro: string
  /** Blocks, or raw text. */
  body: { type: unknown; data: unknown }[] | string
  cover?: string
  link?: string
  author?: string
}

const nesting = 3000

/**
 * Returns addresses that only a client requests that runs or loads hostile content; the journal records the requests.
 */
function canaries(origin: string) {
  return {
    page: (name: string) => `${origin}${pagesPath}/canary/${name}`,
    image: (number: number) => imageUrl(origin, 'canary', number),
  }
}

function hostileTexts(origin: string): HostileText[] {
  const { page, image } = canaries(origin)
  const text = (html: string) => ({ type: 'text', data: { text: html, format: 'html' } })
  return [
    {
      title: 'Script in the intro',
      intro: `<p>Before</p><script>fetch('${page('script')}')</script><script src="${page('script-src')}"></script><p>After</p>`,
      body: [
        text(
          `<p>Before<script>fetch('${page('block-script')}')</script>After</p><scr<script>ipt>fetch('${page('split-script')}')</scr</script>ipt>`,
        ),
      ],
    },
    {
      title: 'Event handlers <img src=x onerror=alert(1)>',
      intro: `<img src="x" onerror="fetch('${page('onerror')}')"><p onmouseover="fetch('${page('onmouseover')}')">Move here</p><details open ontoggle="fetch('${page('ontoggle')}')"><summary>More</summary></details>`,
      body: [
        text(
          `<body onload="fetch('${page('onload')}')"><input autofocus onfocus="fetch('${page('onfocus')}')">`,
        ),
      ],
      author: '"><img src=x onerror=alert(2)>',
    },
    {
      title: 'Links that run',
      intro:
        '<p><a href="javascript:alert(1)">one</a> <a href=" java\tscript:alert(2)">two</a> <a href="JaVaScRiPt&#58;alert(3)">three</a> <a href="vbscript:msgbox(4)">four</a> <a href="file:///etc/passwd">five</a></p>',
      body: [
        { type: 'link_embed', data: { url: 'javascript:alert(5)', title: 'Open me', domain: 'example.org' } },
        {
          type: 'video_extended',
          data: { url: 'javascript:alert(6)', thumbnailUrl: 'javascript:alert(7)', title: 'Watch' },
        },
      ],
      link: 'javascript:alert(8)',
    },
    {
      title: 'Data addresses',
      intro:
        '<p><a href="data:text/html,<script>alert(1)</script>">open</a><img src="data:image/svg+xml,<svg xmlns=\'http://www.w3.org/2000/svg\' onload=\'alert(2)\'/>"></p><iframe src="data:text/html;base64,PHNjcmlwdD5hbGVydCgzKTwvc2NyaXB0Pg=="></iframe>',
      body: [
        {
          type: 'image_extended',
          data: { file: { url: 'data:text/html,<script>alert(4)</script>' }, title: 'x' },
        },
      ],
      cover: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="alert(5)"/>',
    },
    {
      title: 'SVG and MathML',
      intro: `<svg><script>fetch('${page('svg-script')}')</script><a xlink:href="javascript:alert(1)"><text y="20">svg</text></a><animate onbegin="fetch('${page('svg-animate')}')" attributeName="x" dur="1s"/></svg><math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(2)&gt;"></mglyph></table></mtext></math>`,
      body: [
        {
          type: 'rawhtml',
          data: {
            raw: `<svg><foreignObject><iframe src="${page('foreign-object')}"></iframe></foreignObject></svg>`,
          },
        },
      ],
    },
    {
      title: 'Frames, forms and objects',
      intro: `<iframe src="${page('iframe')}"></iframe><object data="${page('object')}"></object><embed src="${page('embed')}"><form action="${page('form')}"><input name="password" type="password"><button>Sign in again</button></form>`,
      body: [
        {
          type: 'rawhtml',
          data: {
            raw: `<meta http-equiv="refresh" content="0;url=${page('refresh')}"><base href="${page('base')}/"><link rel="stylesheet" href="${page('stylesheet')}">`,
          },
        },
      ],
    },
    {
      title: 'Styles that cover the window',
      intro: `<div style="position:fixed;inset:0;z-index:99999;background:url(${image(1)})">Your session has ended. Call us.</div><style>*{display:none}@import url(${page('import')});</style>`,
      body: [text(`<p style="background-image:url('${image(2)}')">Styled</p>`)],
    },
    {
      title: 'Pictures that report who reads',
      intro: `<p>Text <img src="${image(3)}" width="1" height="1"> <img srcset="${image(4)} 2x"> <picture><source srcset="${image(5)}"><img></picture> <video poster="${image(6)}" autoplay></video> <a href="https://www.example.org" ping="${page('ping')}">link</a></p>`,
      body: [
        {
          type: 'image_extended',
          data: { file: { url: 'http://198.51.100.7/tracker.gif', width: 1, height: 1 }, title: '' },
        },
        {
          type: 'gallery',
          data: {
            files: [{ url: '//198.51.100.7/no-scheme.gif' }, { url: 'ftp://198.51.100.7/picture.png' }],
          },
        },
      ],
      cover: 'http://198.51.100.7/cover.png?reader=1',
      link: 'http://user:password@198.51.100.7/',
    },
    {
      title: 'Very deep',
      intro: `${'<div><b>'.repeat(nesting)}deep${'</b></div>'.repeat(nesting)}`,
      body: `{"data":[{"type":"text","data":${'['.repeat(nesting)}${']'.repeat(nesting)}}]}`,
    },
    {
      title: `Very long ${'w'.repeat(2000)}`,
      intro: `<p>${'&amp;'.repeat(20_000)}</p>`,
      body: Array.from({ length: 2000 }, (_, index) => text(`<p>Paragraph ${index + 1}</p>`)),
    },
    { title: 'A body that is no JSON', intro: '<p>Open me.</p>', body: '{"data": [{"type": "text", ' },
    {
      title: 'A body that is JSON of another kind',
      intro: '<p>Open me.</p>',
      body: '{"data": {"length": -1}}',
    },
    {
      title: 'Blocks that nobody knows',
      intro: '<p>Open me.</p>',
      body: [
        { type: 'hologram', data: { depth: 3 } },
        { type: '__proto__', data: { polluted: true } },
        { type: 'constructor', data: {} },
        { type: 7, data: null },
        { type: 'text', data: null },
        { type: 'gallery', data: { files: null } },
        text('<p>The only block that can be shown.</p>'),
      ],
    },
    {
      title: 'Text \u202egnp.exe that turns around\u0000\u0007\ufeff',
      intro:
        '<p>\u202eThis runs backwards\u202c, and z\u0300\u0301\u0302\u0303\u0304\u0305\u0306\u0307algo.</p><p>Unclosed <b><i><a href="',
      body: [text('<p>\ud800 a lonely half of a character</p><!-- an open comment')],
    },
  ]
}

/** Returns entries with hostile content, dated so that they come first. Their ids start at `firstId`. */
export function hostileEntries(author: User, now: Date, origin: string, firstId: number): HeldEntry[] {
  const nowSeconds = Math.floor(now.getTime() / 1000)
  return hostileTexts(origin).map((hostile, index): HeldEntry => {
    const id = firstId + index
    const date = nowSeconds + index
    const cover = hostile.cover ?? imageUrl(origin, 'cover', id)
    const by = {
      id: author.id,
      name: hostile.author ?? author.name,
      profile_image_url: author.profile_image_url,
      url: userUrl(origin, author.id),
    }
    const entry: Entry = {
      id,
      title: hostile.title,
      url: `${origin}${pagesPath}/articles/${id}-hostile`,
      date,
      dateRFC: new Date(date * 1000).toUTCString().replace('GMT', '+0000'),
      author: by,
      publicAuthor: by,
      type: 4,
      intro: hostile.intro,
      cover: { thumbnailUrl: cover, url: cover, size: imageSizes.cover },
      externalLink:
        hostile.link === undefined
          ? null
          : {
              domain: 'www.example.org',
              url: hostile.link,
              data: {
                title: hostile.title,
                description: hostile.intro,
                imageUrl: hostile.link,
                url: hostile.link,
                image: hostile.link,
              },
            },
      hits: 1,
      likes: { count: 100_000, summ: 100_000, isLiked: false },
      commentsCount: 1,
      commentsPreview: [{ id, author: by, text: hostile.intro, date }],
      isFavorited: false,
    }
    const entryJSON = typeof hostile.body === 'string' ? hostile.body : JSON.stringify({ data: hostile.body })
    return { entry, entryJSON, isOnMainPage: true, isEditorial: true }
  })
}

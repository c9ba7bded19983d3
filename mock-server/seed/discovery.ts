/** A text, or texts by language. */
export type ListedText = string | Record<string, string>

/** A server of `server_list.json` (api-v3-facts.md, section 9). */
export interface ListedServer {
  server_type: 'institute_access' | 'secure_internet'
  base_url: string
  display_name?: ListedText
  country_code?: string
  support_contact?: string[]
  keyword_list?: ListedText
  authentication_url_template?: string
  public_key_list?: string[]
}

/** An organization of `organization_list.json`. */
export interface ListedOrganization {
  display_name: ListedText
  org_id: string
  secure_internet_home: string
  keyword_list?: ListedText
}

/** Addresses of this mock that stand in the lists. */
export interface ListedAddresses {
  institute: string
  /** The locations of Secure Internet. */
  nl: string
  de: string
  /** The address of the home server's template, without a query. */
  skipWayf: string
}

/** Made-up places: domain, name and keywords. */
const places: readonly (readonly [domain: string, name: ListedText, keywords?: ListedText])[] = [
  ['aalberg', { en: 'University of Aalberg', da: 'Aalberg Universitet' }, 'AAU'],
  [
    'abendstadt',
    { en: 'Abendstadt University of Technology', de: 'Technische Universität Abendstadt' },
    { en: 'TUA engineering', de: 'TUA Technik' },
  ],
  ['bergamotta', { en: 'University of Bergamotta', it: 'Università degli Studi di Bergamotta' }],
  ['birchwood', 'Birchwood College', 'liberal arts'],
  [
    'brumeval',
    { en: 'Brumeval Polytechnic', fr: 'École polytechnique de Brumeval' },
    { fr: 'ingénieurs', en: 'engineers' },
  ],
  [
    'calanova',
    { en: 'University of Calanova', es: 'Universidad de Calanova', ca: 'Universitat de Calanova' },
  ],
  ['cedarfield', 'Cedarfield Institute of Astronomy', { en: 'telescope observatory' }],
  [
    'delfstrand',
    { en: 'Delfstrand University', nl: 'Universiteit van Delfstrand' },
    { nl: 'water dijken', en: 'water dikes' },
  ],
  ['eastmarch', 'Eastmarch Research Council'],
  [
    'eikendal',
    { en: 'Eikendal School of Music', nl: 'Conservatorium Eikendal' },
    { en: 'music conservatory', nl: 'muziek' },
  ],
  ['fjordby', { en: 'Fjordby University College', nb: 'Høgskolen i Fjordby' }],
  ['glenmoor', 'Glenmoor Medical School', { en: 'medicine hospital' }],
  [
    'gruenwald',
    { en: 'Grünwald Institute for Forestry', de: 'Forstinstitut Grünwald' },
    { de: 'Wald Bäume', en: 'forest trees' },
  ],
  ['harborne', 'Harborne University', 'HU'],
  ['ijsselstein', { en: 'IJsselstein Research Centre', nl: 'Onderzoekscentrum IJsselstein' }],
  ['jaworna', { en: 'University of Jaworna', pl: 'Uniwersytet w Jawornej' }, { pl: 'nauka', en: 'science' }],
  ['kastania', { en: 'University of Kastania', el: 'Πανεπιστήμιο Καστανιάς' }, { el: 'έρευνα' }],
  ['kirsehan', { en: 'Kırsehan University', tr: 'Kırsehan Üniversitesi' }],
  ['kozhyn', { en: 'Kozhyn National University', uk: 'Кожинський національний університет' }, { uk: 'КНУ' }],
  ['lindenholz', { en: 'Lindenholz Academy of Arts', de: 'Kunsthochschule Lindenholz' }],
  [
    'louvrelle',
    { en: 'University of Louvrelle', fr: 'Université de Louvrelle', nl: 'Universiteit Louvrelle' },
  ],
  [
    'marisma',
    { en: 'Marisma Oceanography Centre', pt: 'Centro de Oceanografia de Marisma' },
    { pt: 'mar oceano', en: 'sea ocean' },
  ],
  ['midorikawa', { en: 'Midorikawa University', ja: '緑川大学' }, { ja: '研究' }],
  ['nadwiatr', { en: 'Nadwiatr Institute of Physics', pl: 'Instytut Fizyki w Nadwiatrze' }],
  ['norrvik', { en: 'Norrvik University', sv: 'Norrviks universitet', fi: 'Norrvikin yliopisto' }],
  ['oakhaven', 'Oakhaven Observatory', { en: 'astronomy' }],
  [
    'petralba',
    { en: 'Petralba Library Consortium', it: 'Consorzio Bibliotecario di Petralba' },
    { it: 'biblioteca', en: 'library' },
  ],
  ['qamar', { en: 'Qamar University of Science', ar: 'جامعة قمر للعلوم' }, { ar: 'علوم' }],
  ['rosental', { en: 'Rosental Seminary', de: 'Seminar Rosental' }],
  ['saltmarsh', 'Saltmarsh Marine Laboratory', 'biology'],
  ['tavira-nova', { en: 'University of Tavira Nova', pt: 'Universidade de Tavira Nova' }],
  [
    'ulmenau',
    { en: 'Ulmenau University Hospital', de: 'Universitätsklinikum Ulmenau' },
    { de: 'Krankenhaus', en: 'hospital' },
  ],
  ['valdoro', { en: 'Valdoro Business School', es: 'Escuela de Negocios de Valdoro' }],
  ['westerzee', { en: 'Westerzee University', nl: 'Universiteit Westerzee' }],
  ['yarrowby', 'Yarrowby Archive', { en: 'history documents' }],
  ['zuidpoort', { en: 'Zuidpoort College', nl: 'Hogeschool Zuidpoort' }, 'HZP'],
]

const supportOf = (domain: string) => [
  `mailto:helpdesk@${domain}.example`,
  `https://www.${domain}.example/vpn`,
  'tel:+31-555-0100',
]

/** The servers: this mock as institute and as two locations of Secure Internet, and made-up institutes. */
export function listedServers(addresses: ListedAddresses): ListedServer[] {
  const location = (country_code: string, base_url: string, letter: string): ListedServer => ({
    server_type: 'secure_internet',
    base_url,
    country_code,
    support_contact: [`mailto:secure-internet@${country_code.toLowerCase()}.example`],
    public_key_list: [`k7.pub.${letter.repeat(16)}.${letter.repeat(43)}`],
  })
  return [
    {
      server_type: 'institute_access',
      base_url: addresses.institute,
      display_name: {
        en: 'Mock Institute',
        nl: 'Namaakinstituut',
        de: 'Attrappeninstitut',
        fr: 'Institut factice',
      },
      support_contact: supportOf('mock-institute'),
      keyword_list: { en: 'causeway test', de: 'causeway Prüfung' },
    },
    {
      ...location('NL', addresses.nl, 'A'),
      authentication_url_template: `${addresses.skipWayf}?returnTo=@RETURN_TO@&orgId=@ORG_ID@`,
    },
    location('DE', addresses.de, 'B'),
    ...places.map(([domain, display_name, keyword_list], index): ListedServer => ({
      server_type: 'institute_access',
      base_url: `https://vpn.${domain}.example/`,
      display_name,
      ...(index % 3 === 0 ? {} : { support_contact: supportOf(domain).slice(0, index % 3) }),
      ...(keyword_list === undefined ? {} : { keyword_list }),
    })),
  ]
}

/** The organizations of Secure Internet: two for this mock, and made-up ones with a home there. */
export function listedOrganizations({ nl, de }: ListedAddresses): ListedOrganization[] {
  return [
    {
      display_name: { en: 'Mock University', nl: 'Namaakuniversiteit', de: 'Attrappen-Universität' },
      org_id: 'https://idp.mock-university.example/saml/metadata?id=1 2',
      secure_internet_home: nl,
      keyword_list: { en: 'causeway test' },
    },
    {
      display_name: { en: 'Mock Academy', de: 'Attrappen-Akademie' },
      org_id: 'https://idp.mock-academy.example/saml',
      secure_internet_home: de,
    },
    ...places.map(([domain, name, keyword_list], index): ListedOrganization => ({
      display_name: typeof name === 'string' ? { en: name } : name,
      org_id: `https://idp.${domain}.example/saml`,
      secure_internet_home: index % 4 === 3 ? de : nl,
      ...(keyword_list === undefined ? {} : { keyword_list }),
    })),
  ]
}

/** A topic of the seeded community. `name` fits into a sentence; tags have no number sign. */
export interface Topic {
  name: string
  tags: [string, ...string[]]
  facts: [string, string, string]
}

/** Topics of entries and tweets, in plain text. */
export const topics: readonly [Topic, ...Topic[]] = [
  {
    name: 'DNS leaks',
    tags: ['dns', 'privacy', 'vpn'],
    facts: [
      'A query that leaves beside the tunnel tells the local network every site that is visited.',
      'The quickest check is to watch the port 53 traffic of the physical interface.',
      'Most leaks come from a second interface whose resolver stays first in the list.',
    ],
  },
  {
    name: 'split tunnelling',
    tags: ['vpn', 'networks'],
    facts: [
      'Only the routes of the office go through the tunnel, and the rest stays as it was.',
      'It saves bandwidth, and it moves a decision about trust to every single laptop.',
      'Name resolution has to be split as well, or internal names stop working.',
    ],
  },
  {
    name: 'certificate renewal',
    tags: ['security', 'tls'],
    facts: [
      'A certificate that ends on a Sunday night is noticed on Monday at nine.',
      'Renewing at two thirds of the lifetime leaves weeks for something to go wrong.',
      'The new certificate can be in use before the old one has been taken back.',
    ],
  },
  {
    name: 'kill switches',
    tags: ['vpn', 'privacy'],
    facts: [
      'When the tunnel goes down, nothing may leave the machine until it is back.',
      'A good one still lets people reach the sign-in page of a hotel network.',
      'Firewall rules survive a crash of the client; a watching process does not.',
    ],
  },
  {
    name: 'public Wi-Fi',
    tags: ['wifi', 'security', 'travel'],
    facts: [
      'Encryption between browser and site has made the airport network far less dangerous.',
      'What is left to see is where people connect to, and when.',
      'A network with a known name can be imitated by anyone with a small computer.',
    ],
  },
  {
    name: 'two-factor login',
    tags: ['security', 'passwords'],
    facts: [
      'A code by text message is better than none and worse than everything else.',
      'Hardware keys check the address of the site, which people do not.',
      'Recovery codes belong on paper, in a drawer, at home.',
    ],
  },
  {
    name: 'IPv6',
    tags: ['networks', 'ipv6'],
    facts: [
      'A tunnel that carries only the old protocol leaves the new one outside.',
      'Privacy addresses change every day and make logs harder to read.',
      'More than half of the traffic of large mobile providers uses it already.',
    ],
  },
  {
    name: 'packet sizes',
    tags: ['networks', 'performance'],
    facts: [
      'When pages load halfway and then hang, look at the largest packet that fits.',
      'A tunnel adds up to eighty bytes to each packet, and someone has to subtract them.',
      'Routers that drop the message about size make the problem invisible.',
    ],
  },
  {
    name: 'captive portals',
    tags: ['wifi', 'travel'],
    facts: [
      'The hotel answers every request with its own page until the room number is typed in.',
      'A client that insists on its tunnel first can never get through that door.',
      'There is a standard by which a network can announce its portal, and few do.',
    ],
  },
  {
    name: 'home routers',
    tags: ['networks', 'security', 'selfhosted'],
    facts: [
      'The box in the hallway gets fewer updates than any other computer in the house.',
      'Turning off remote management closes the door that is tried most often.',
      'Five years after the sale most models are on their own.',
    ],
  },
  {
    name: 'threat models',
    tags: ['security', 'privacy'],
    facts: [
      'Write down who might want what from you before you install anything.',
      'For most people the likely loss is an account, not a state secret.',
      'A plan that nobody follows protects less than a habit that everybody has.',
    ],
  },
  {
    name: 'onion routing',
    tags: ['privacy', 'anonymity'],
    facts: [
      'Three relays each know one step of the way, and none knows both of its ends.',
      'It hides an address; it does not hide what is typed into a form.',
      'Delay is the price, and for reading the news it is a small one.',
    ],
  },
  {
    name: 'post-quantum key exchange',
    tags: ['cryptography', 'tls'],
    facts: [
      'What is recorded today could be read in twenty years; that is why it starts now.',
      'The new keys are larger, and some old middleboxes stumble over them.',
      'Combining it with a classic curve means that both would have to be broken.',
    ],
  },
  {
    name: 'kernel offload',
    tags: ['openvpn', 'performance', 'linux'],
    facts: [
      'Moving packets inside the kernel avoids copying each of them twice.',
      'The control channel stays where it was, in a process that can be restarted.',
      'On a small router the difference is between forty and three hundred megabits.',
    ],
  },
  {
    name: 'reconnecting after sleep',
    tags: ['vpn', 'desktop'],
    facts: [
      'The lid closes in the office and opens at home, with another network around it.',
      'The first seconds after waking have no name resolution, and errors then mean nothing.',
      'Waiting for the network to settle beats trying twenty times in ten seconds.',
    ],
  },
  {
    name: 'password managers',
    tags: ['passwords', 'security'],
    facts: [
      'A manager that fills in nothing on the wrong site has just prevented a theft.',
      'Export a copy once a year and test whether it can be read.',
      'The best one is the one that your family agrees to use.',
    ],
  },
  {
    name: 'phishing',
    tags: ['security', 'email'],
    facts: [
      'The message came from the right address, because the colleague had been tricked first.',
      'Training helps a little; a login that cannot be forwarded helps a lot.',
      'Reporting must take one click, or people will just delete it.',
    ],
  },
  {
    name: 'ad trackers',
    tags: ['privacy', 'web'],
    facts: [
      'One recipe page contacted ninety-two other servers before the ingredients appeared.',
      'Blocking by name at the resolver covers the television too.',
      'Some trackers now hide below the name of the site that they report about.',
    ],
  },
  {
    name: 'server locations',
    tags: ['vpn', 'networks'],
    facts: [
      'A flag in a list says where an address is registered, and not where the machine stands.',
      'The nearest server is mostly the best, whatever the map suggests.',
      'Measure the round trip: light in glass needs a millisecond for a hundred kilometres and back.',
    ],
  },
  {
    name: 'latency',
    tags: ['performance', 'networks', 'games'],
    facts: [
      'A full queue in the modem adds more delay than the whole ocean.',
      'Video calls survive lost packets much better than late ones.',
      'Two hops less can matter more than twice the bandwidth.',
    ],
  },
  {
    name: 'battery life',
    tags: ['desktop', 'performance', 'mobile'],
    facts: [
      'A keep-alive every ten seconds keeps the radio awake all day.',
      'Doing three small things at once costs a third of doing them one by one.',
      'Measure with the screen off, or you will measure the screen.',
    ],
  },
  {
    name: 'security audits',
    tags: ['security', 'opensource'],
    facts: [
      'The useful part of a report is the chapter on what was not examined.',
      'Findings without dates for their repair are a decoration.',
      'Publishing the whole text has become normal, and that is a real change.',
    ],
  },
  {
    name: 'encrypted DNS',
    tags: ['dns', 'privacy', 'web'],
    facts: [
      'The local network no longer sees the names, and the resolver sees all of them.',
      'Browsers that choose a resolver of their own break internal names.',
      'A network can announce its encrypted resolver, so that nobody has to choose.',
    ],
  },
  {
    name: 'clock drift',
    tags: ['linux', 'tls'],
    facts: [
      'A laptop that is two days behind calls every fresh certificate a forgery.',
      'The error message speaks of trust, and the remedy is in the date settings.',
      'A virtual machine that was paused over the weekend wakes up on Friday.',
    ],
  },
  {
    name: 'log files',
    tags: ['privacy', 'linux'],
    facts: [
      'What was never written down cannot be asked for.',
      'A log that can be pasted into a ticket without a second thought gets pasted.',
      'Seven days are enough for almost every question that anyone asked us.',
    ],
  },
  {
    name: 'remote work',
    tags: ['work', 'vpn', 'travel'],
    facts: [
      'The kitchen table has become a branch office without a system administrator.',
      'Printing at home, in the office network, is still the most frequent question.',
      'A tunnel that is simply always there gets the fewest complaints.',
    ],
  },
  {
    name: 'campus networks',
    tags: ['networks', 'education'],
    facts: [
      'Forty thousand people change buildings every hour and expect not to notice.',
      'The library licence asks for a campus address, which is why students want a tunnel.',
      'Guests get online with the account of their own university.',
    ],
  },
  {
    name: 'fibre to the home',
    tags: ['networks', 'policy'],
    facts: [
      'The cable in the street is ready; the last four metres wait for a signature.',
      'Upload matters now that backups and cameras go the other way.',
      'Once the trench is open, a second fibre costs next to nothing.',
    ],
  },
  {
    name: 'network namespaces',
    tags: ['linux', 'opensource', 'networks'],
    facts: [
      'One command gives a program a network of its own, with nothing in it.',
      'Put the tunnel inside, and what runs there cannot go around it.',
      'They are the part of containers that was useful long before containers.',
    ],
  },
  {
    name: 'key rotation',
    tags: ['cryptography', 'security'],
    facts: [
      'A key that has never been changed is a key that nobody can change.',
      'Rotate on a quiet Tuesday, so that the emergency is not the first time.',
      'Old keys must stay known for as long as old messages are read.',
    ],
  },
]

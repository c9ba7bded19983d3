import { z } from 'zod'

// Turns off Zod's compiled parsers; import it before the first schema. Zod tries `new Function`, which the pages' content
// security policy forbids and reports. Main may use it, but a start parses most schemas once, and compiling takes longer.
z.config({ jitless: true })

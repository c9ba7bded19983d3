import { z } from 'zod'

// Zod makes its parsers with `new Function` where it may. Our pages may not, and asking would be a reported breach
// of their policy. Main may, but a start uses most schemas once, and making a parser takes longer than parsing without.
// To be imported before the first schema.
z.config({ jitless: true })

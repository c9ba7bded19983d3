import { z } from 'zod'

// Zod makes its parsers with `new Function` where it may. Our pages may not, and asking would be a reported breach
// of their policy. To be imported before the first schema.
z.config({ jitless: true })

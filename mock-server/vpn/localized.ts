import { z } from 'zod'

/** A string, or an object that maps language tags to strings ("Localized values"). */
export const localizedText = z.union([z.string(), z.record(z.string(), z.string())])

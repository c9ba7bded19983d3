import { z } from 'zod'

const text = z.string().max(10_000)

/** A string, or an object that maps language tags to strings ("Localized values"). */
export const localizedText = z.union([text, z.record(z.string().min(1).max(50), text)])

import type { Tone } from '../../../contract/describe-connection'
import { letters } from './lanes'

/** Returns how many buttons fit beside the sentence of the stage; the others go into a menu. */
export function buttonsBeside(
  labels: readonly string[],
  stage: {
    readonly sentence: string
    readonly isNarrow: boolean
    readonly hasDetails: boolean
    /** The browser is waited for, and nothing has failed. */
    readonly waitsForBrowser: boolean
    readonly hasFailed: boolean
    readonly tone: Tone
  },
): number {
  const [first] = labels
  const { sentence, isNarrow, hasFailed, tone } = stage
  if (stage.waitsForBrowser) return buttonsOfSignIn(labels, stage)
  if (hasFailed && first !== undefined && !leavesRoom(first, sentence, isNarrow)) return 0
  // Figures are short; a sentence needs the room.
  return isNarrow || hasFailed || tone !== 'on' ? 1 : 2
}

/** Returns how many buttons of a sign-in leave two lines for its sentence, or have a line of their own in a narrow window. */
function buttonsOfSignIn(
  buttons: readonly string[],
  {
    sentence,
    isNarrow,
    hasDetails,
  }: { readonly sentence: string; readonly isNarrow: boolean; readonly hasDetails: boolean },
): number {
  const [letter, around, all] = isNarrow ? [7.3, 28, 368] : [7.5, 34, 632 - 3.7 * (letters(sentence) + 22)]
  const widthOf = (texts: readonly string[]): number =>
    texts.reduce((sum, text) => sum + letter * letters(text) + around, 0)
  const rest = (hasDetails ? 100 : 0) + (buttons.length > 2 ? 40 : 0)
  return widthOf(buttons.slice(0, 2)) + rest <= all ? 2 : 1
}

/** Returns true if a button leaves two lines for a sentence beside it; in a narrow window the sentence has lines of its own. */
function leavesRoom(button: string, sentence: string, isNarrow: boolean): boolean {
  const room = isNarrow ? 230 : 440 - 3.7 * letters(sentence)
  return 8 * letters(button) + 32 <= room
}

/** Returns true if the state doesn't fit beside its button in a window of 400 px, with the widest of the usual fonts. */
export function isCrowded(word: string, button: string | undefined): boolean {
  const besideIt = button === undefined ? 0 : Math.min(184, Math.max(100, 9 * letters(button) + 26) + 8)
  return 16 * letters(word) > 368 - besideIt
}

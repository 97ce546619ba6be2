/** The page that tells of the notice, with what was counted. */
import { moneyWords } from '@courier-fleet/words'
import type { ExamCounts } from './exam-counts.ts'

interface Said {
  readonly afterSeconds: number
  readonly ceiling: { readonly millionths: number; readonly currency: string }
  readonly first: string
  readonly corrected: string
}

export function examPage(counts: ExamCounts, { afterSeconds, ceiling, first, corrected }: Said): string {
  const { people, chats, confirmed, edited, sms, cost } = counts
  const money = (millionths: number) => moneyWords('en', millionths, ceiling.currency)
  const picture = (name: string, about: string) =>
    `[![${about}](${name}-1280.png)](${name}-1280.png)\n\n([as wide as a phone](${name}-360.png))`
  return `# An exam notice, until it is known

Written by \`npm run screenshots -- exam-pictures --after ${afterSeconds}\`, with the pictures: a whole fleet against the stand-ins, ${people} students of the demo, and people who press buttons on their phones. Every number on this page was
counted in that run, by what the stand-ins took and by the history; where the two disagree, or somebody got what they should not, the command fails.

The dean's office writes to all ${people} students: "${first}" By Telegram and VK at once; by SMS ${afterSeconds} seconds later, to those only who have not confirmed by a button that they have read it; for ${money(ceiling.millionths)} at most.

\`\`\`json
{"to": ["cohort:all-students"], "text": "…", "confirm": true, "ceiling": {"millionths": ${ceiling.millionths}, "currency": "${ceiling.currency}"},
 "steps": [{"channels": ["telegram", "vk"]}, {"channels": ["sms"], "after": "PT${afterSeconds}S", "unless": "confirmed"}]}
\`\`\`

**Sent, and the first confirm it.** ${chats.telegram} have it on Telegram and ${chats.vk} in VK, some on both. ${confirmed[0]} have pressed the button; whoever has is spared the SMS in that moment.

${picture('watch', 'The message while it waits for the second step')}

**Corrected once.** The room was wrong: "${corrected}" From the answer on nobody is sent the older text. ${edited} messages are edited where they stand, with a new button under each: a confirmation is of a text, so everybody is asked anew, also whoever had
confirmed the older one. ${confirmed[1]} confirm the corrected text.

${picture('wall', 'The wall of phones: the corrected message on one of them')}

**In the end.** ${sms.people} people got an SMS, ${sms.spared} were spared one. ${sms.messages} SMS went out, in ${sms.parts} parts: ${money(cost)}, by the centre's log and by the history alike. Whoever had no chat was sent the SMS without
waiting, and another when the text was corrected.

> ${counts.sentence}
>
${counts.steps.map((line) => `> ${line}`).join('\n>\n')}

${picture('outcome', 'The message when everything has settled: who was reached, who was spared, and what it cost')}
`
}

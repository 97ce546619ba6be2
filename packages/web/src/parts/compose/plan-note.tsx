import type { Plan } from '@courier-fleet/api-types'
import { planWords } from '@courier-fleet/words'
import { useStores } from '../../stores.ts'
import { useMoment } from '../use-moment.ts'

/** Who is sent it when, where not everyone is sent it as soon as it is due. */
export function PlanNote({ plan, isForLater }: { plan: Plan; isForLater: boolean }) {
  const { language } = useStores()
  const moment = useMoment()
  const said = planWords(language.code.value, plan, { isForLater, moment: (ms) => moment(new Date(ms).toISOString()) })
  return said ? <p class="note">{said.sentence}</p> : null
}

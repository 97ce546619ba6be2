import { useIntegrationWords } from '../../texts/integrations.ts'

/** Of a subscription; there is no second time. @param replaces another, which is good for a day more */
export function ShownSecret({ secret, replaces = false }: { secret: string; replaces?: boolean }) {
  const said = useIntegrationWords()
  return (
    <div role="status">
      <p>
        {said.secret}: <code>{secret}</code>
      </p>
      <p class="warn">
        {said.secretOnce}
        {replaces && ` ${said.secretAgain}`}
      </p>
    </div>
  )
}

import { ServeError } from '../errors.ts';
import { compileSchema } from '../schema/compile.ts';

/**
 * Compiles the schema of a body into a check.
 *
 * @param schema - Of an object; fields that it doesn't name are ignored.
 * @param texts - Fields whose faults are left to `textsOf()`, which refuses the same values and names
 *   the item.
 * @returns A function that throws {@link ServeError} `invalid_field` for the first fault, with the
 *   field as `param`.
 */
export function bodyCheck(schema: object, texts: readonly string[]): (body: unknown) => void {
  const faultOf = compileSchema(schema);
  return (body) => {
    const fault = faultOf(body);
    if (fault === null) return;
    const field = String(fault.path[0] ?? '');
    if (texts.includes(field)) return;
    throw new ServeError(
      'invalid_field',
      `Cannot use the field ${JSON.stringify(field)}: it ${fault.reason}`,
      { param: field },
    );
  };
}

/** The alerts of an unfinished condition node, in the words of the specification's section 5. */
export const CONDITION_ALERTS = {
  variable: 'Please specify a Variable. Try connecting Condition node to a previous node and select the variable',
  output: 'Please specify an Output Name',
  operation: 'Please select an operation for the condition',
  empty: 'Please add an item for the condition',
  code: 'Please add a return statement in the condition code to define the output. You can refer to How to Use for more information.',
} as const

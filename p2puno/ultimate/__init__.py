"""UNO Ultimate: every player brings a hero with an own deck, and the Danger Deck brings Enemies, Events, Locations and
Items. `engine.UltimateGame` is one hand; `p2puno.engine.new_game` makes it where the rules are of this family."""
